// A cell that is stored and then changed under conditions of its own is one store: each change finds what the one before it left. So it is where a
// compiler has handed the value on, and chooses the same twice.
// RUN: env "POLYTILE=dump=ast;min-work=0" %clang -O3 -march=native -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: %t.new | cmp - %t.expected
#include <stdio.h>
enum { M = 70 };
typedef double Row[M];

// CHECK: S0(c0, c1);
// CHECK-NOT: S1
__attribute__((noinline)) void around(long n, Row *restrict b, const Row *restrict h, const Row *restrict a) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < M - 1; j++) {
      b[i][j] = a[i][j] * .2;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
          if (di == 0 && dj == 0)
            continue;
          double d = h[i + di][j + dj] - h[i][j];
          if (d > 0)
            b[i][j] += a[i + di][j + dj] * d;
        }
    }
}

// CHECK: S0(c0, c1);
// CHECK-NOT: S1
__attribute__((noinline)) void ways(long n, Row *restrict b, const Row *restrict h, const Row *restrict a) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < M - 1; j++) {
      b[i][j] = .1;
      if (h[i][j - 1] > h[i][j])
        b[i][j] += a[i][j - 1] * (h[i][j - 1] - h[i][j]);
      if (h[i][j + 1] > h[i][j])
        b[i][j] += a[i][j + 1] * (h[i][j + 1] - h[i][j]);
      if (h[i - 1][j] > h[i][j])
        b[i][j] += a[i - 1][j] * (h[i - 1][j] - h[i][j]);
      if (b[i][j] > 2)
        b[i][j] -= h[i][j];
    }
}

// What the change reads beside the cell may be the cell of an iteration before.
// CHECK: S0
// CHECK: S1
__attribute__((noinline)) void running(long n, Row *restrict b, const Row *restrict h) {
  for (long i = 1; i < n; i++)
    for (long j = 1; j < M; j++) {
      b[i][j] = h[i][j];
      if (h[i - 1][j] > .5)
        b[i][j] += b[i][j - 1];
    }
}

#ifdef MAIN
enum { N = 50 };
static double a[N][M], b[N][M], h[N][M];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      h[i][j] = (i * 37 + j * 11) % 101 / 101.;
      a[i][j] = (i * 53 + j * 7) % 97 / 97.;
    }
  double sum = 0;
  for (long n = 0; n <= N; n += 7) {
    around(n, b, h, a);
    ways(n, a, h, b);
    running(n, b, h);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        sum = sum * .75 + a[i][j] + b[i][j];
    printf("%a\n", sum);
  }
}
#endif
