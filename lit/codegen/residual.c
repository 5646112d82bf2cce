// How far the values of a Jacobi sweep are from those before: rows find their own maxima beside the new values, and these are taken up in
// order. Where neighbours of the new values are read, as in a sweep in place, the maximum stays one.
// RUN: env "POLYTILE=dump=ast;verify=on" %clang -O2 -march=x86-64-v3 -fopenmp -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <math.h>
#define NI __attribute__((noinline))

// CHECK: // parallel
// CHECK: S5(c0)
// CHECK: S1(
// CHECK: S6(c{{[0-9]+}})
NI double changed(int n, int m, double a[restrict][m], double c[restrict][m], double s) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      c[i][j] = .25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
      double v = fabs(c[i][j] - a[i][j]);
      s = s < v ? v : s;
    }
  return s;
}

#ifdef MAIN
#include <stdio.h>
NI double in_place(int n, int m, double a[restrict][m], double s) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double next = .25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]), v = fabs(next - a[i][j]);
      a[i][j] = next;
      s = s < v ? v : s;
    }
  return s;
}

#define N 60
static double a[N * N], c[N * N];
int main(void) {
  const double from[] = {0, -0.0, 3, NAN};
  for (int n = 0; n < N; n += 7)
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < N * N; i++)
        a[i] = i % 41 == 7 && k == 2 ? NAN : i * 37 % 101 / 8.0, c[i] = 0;
      double x = changed(n, N - n, (void *)a, (void *)c, from[k]);
      double y = in_place(n, N - n, (void *)a, from[k]);
      printf("%d %a %a\n", n, x == x ? x : -1, y == y ? y : -1);
      fwrite(c, sizeof c, 1, stdout);
      fwrite(a, sizeof a, 1, stdout);
    }
}
#endif
