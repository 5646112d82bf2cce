// LLVM asks whether two counters are both zero by whether one bit of either is set: a window's centre is left out by bounds of loops, not by data.
// RUN: env "POLYTILE=dump=scop;min-work=0" %clang -O1 -march=native -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: %t.new | cmp - %t.expected
#include <stdio.h>
enum { R = 6 };
// CHECK: scop {{.*}}sums
// CHECK-NOT: choose
__attribute__((noinline)) void sums(int n, int m, int *restrict s, const int *restrict g) {
  for (int i = R; i < n - R; i++)
    for (int j = R; j < m - R; j++)
      for (int di = -R; di <= R; di++)
        for (int dj = -R; dj <= R; dj++)
          if (di != 0 || dj != 0)
            s[i * m + j] += g[(i + di) * m + j + dj];
}
#ifdef MAIN
enum { N = 40 };
static int s[N * N], g[N * N];
int main(void) {
  for (int i = 0; i < N * N; i++)
    g[i] = i * 37 % 101;
  unsigned sum = 0;
  for (int n = 0; n <= N; n += 7) {
    sums(n, N, s, g);
    for (int i = 0; i < N * N; i++)
      sum = sum * 31 + s[i];
    printf("%u\n", sum);
  }
}
#endif
