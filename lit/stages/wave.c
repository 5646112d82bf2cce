// A band without a coincident member: its tiles run in waves, and those of one wave in parallel. The same bytes with any number
// of threads.
// RUN: %plainclang -O1 -fopenmp %s -o %t.plain && env OMP_NUM_THREADS=1 %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;tile-sizes=5;dump=schedule,ast" %clang -O3 -fopenmp %s -o %t.waves 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.waves | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.waves | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.waves | cmp - %t.expected
// CHECK: coincident: [ 0, 0, 0 ]
// CHECK: wavefront:
// CHECK: for (c0 = {{.*}} c0 += 5)
// CHECK-NEXT: // parallel
// CHECK-NEXT: for (c1 =
#include <stdio.h>
static double a[60][60];
__attribute__((noinline)) void sweep(int steps, int n, double x[60][60]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        x[i][j] = 0.2 * (x[i - 1][j] + x[i][j - 1] + x[i][j] + x[i][j + 1] + x[i + 1][j]);
}
int main(void) {
  for (int n = 0; n <= 60; n += 12) {
    for (int i = 0; i < 60; i++)
      for (int j = 0; j < 60; j++)
        a[i][j] = (double)(i * j % 11 + n) / 7;
    sweep(n / 5, n, a);
    for (int i = 0; i < 60; i++)
      printf("%a\n", a[i][(i * 7) % 60]);
  }
}
