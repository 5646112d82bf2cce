// Points of a grid in three dimensions by `int`: the row behind the next one begins at (n + 2) * n elements, where nothing moves by n + 2, which is
// therefore no length of rows.
//
// RUN: %clang -O3 -march=x86-64-v4 -g1 -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=scop" %clang -O3 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: for n in 0 1 2 3 4 11 30; do %t.plain $n; done > %t.expected
// RUN: for n in 0 1 2 3 4 11 30; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 0 1 2 3 4 11 30; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

#define U(i, j, k) u[((i) * n + (j)) * n + (k)]

// CHECK: int-planes.c:[[@LINE+5]]:3: remark: loop nest transformed: {{.*}} 3 tile loops
// SCOP: param pt0_0
// SCOP-NOT: p_size
// SCOP: -> M0_argument_2[1 + i0, 2 + i1, 1 + i2]
__attribute__((noinline)) void forwards(int n, double *restrict u, const double *restrict f) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        U(i, j, k) = (U(i - 1, j, k) + U(i + 1, j, k) + U(i, j - 1, k) + U(i, j + 1, k) + U(i, j, k - 1) + U(i, j, k + 1) + f[(i * n + j) * n + k]) / 6;
}

// CHECK: int-planes.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 3 tile loops
__attribute__((noinline)) void backwards(int n, double *restrict u, const double *restrict f) {
  for (int i = n - 2; i > 0; i--)
    for (int j = n - 2; j > 0; j--)
      for (int k = n - 2; k > 0; k--)
        U(i, j, k) = (U(i - 1, j, k) + U(i + 1, j, k) + U(i, j - 1, k) + U(i, j + 1, k) + U(i, j, k - 1) + U(i, j, k + 1) + f[(i * n + j) * n + k]) / 6;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  double *u = malloc(sizeof(double) * (n * n * n + 1)), *f = malloc(sizeof(double) * (n * n * n + 1)), sum = 0;
  for (int i = 0; i < n * n * n; i++) {
    u[i] = i % 7;
    f[i] = i % 11 * .01;
  }
  for (int t = 0; t < 3; t++) {
    forwards(n, u, f);
    backwards(n, u, f);
  }
  for (int i = 0; i < n * n * n; i++)
    sum = sum * .999 + u[i];
  printf("%d %.17g\n", n, sum);
}
