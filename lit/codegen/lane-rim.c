// Statements of lanes that do not share their first lane: the loop is split, where the lanes ran one after the other (a quarter of the original's speed).
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>

enum { N = 90 };

// CHECK: // 8 x 8 lanes
// CHECK-NEXT: for ([[F:c[0-9]+]] = {{.*}}, 0); [[F]] += 1)
// CHECK-NOT: S1(
// CHECK: // 8 x 8 lanes
// CHECK-NEXT: for ([[J:c[0-9]+]] = max({{.*}}, 1);
// CHECK-NEXT: {
// CHECK-NEXT: S1(([[J]] - 1));
// CHECK-NOT: if ((c
// CHECK: // vector
__attribute__((noinline)) void update(double a[][N], const double *v, double *w, int m, int n, double by) {
  w[0] = 0;
  for (int j = 1; j < n; j++)
    w[j] = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      for (int k = 0; k <= i; k++)
        w[j] = w[j] * v[i] + a[k][j];
  for (int j = 0; j < n; j++)
    w[j] *= by;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i][j] -= v[i] * w[j];
}

static double a[N][N], v[N], w[N];

int main(void) {
  for (int m = 1; m < N; m += 22)
    for (int n = 1; n < N; n += 7) {
      for (int i = 0; i < N * N; i++)
        a[0][i] = i % 13 + .25;
      for (int i = 0; i < m; i++)
        v[i] = (i % 5 - 2.) / 3;
      update(a, v, w, m, n, .01);
      double sum = 0;
      for (int i = 0; i < N * N; i++)
        sum = sum * .99 + a[0][i] + w[i % n];
      printf("%d %d %.17g\n", m, n, sum);
    }
}
