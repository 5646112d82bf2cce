// A row is filled, filtered and copied back. In one loop, shifted against each other, the three wait for each other; each for itself they are vectors,
// which is the order of the source.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=x86-64-v4 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env 'POLYTILE=min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#include <math.h>
#include <stdlib.h>

// CHECK: // parallel Static private A{{[0-9]+}}
// CHECK: // vector
// CHECK-NEXT: for {{.*}}
// CHECK-NEXT: S0
// CHECK: // vector
// CHECK-NEXT: for {{.*}}
// CHECK-NEXT: S1
// CHECK: // vector
// CHECK-NEXT: for {{.*}}
// CHECK-NEXT: S2
void medians(int n, int m, double *restrict u) {
  for (int i = 0; i < n; i++) {
    double *t = calloc(m, sizeof *t);
    for (int j = 1; j < m - 1; j++) {
      double a = u[(size_t)i * m + j - 1], b = u[(size_t)i * m + j], c = u[(size_t)i * m + j + 1];
      t[j] = fmin(fmax(a, b), fmax(fmin(a, b), c));
    }
    for (int j = 1; j < m - 1; j++)
      u[(size_t)i * m + j] = t[j];
    free(t);
  }
}

#ifdef MAIN
#include <stdio.h>
int main(void) {
  static double u[40 * 90];
  for (int m = 1; m <= 90; m += 17) {
    for (int k = 0; k < 40 * m; k++)
      u[k] = k * 31 % 101;
    medians(40, m, u);
    for (int k = 0; k < 40 * m; k++)
      printf("%g\n", u[k]);
  }
}
#endif
