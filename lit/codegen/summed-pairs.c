// Sums under one condition on data are one statement: what they share is computed once, and the condition is asked once. Forces between bodies that
// are near each other.
// RUN: %clang -O3 -march=native -fopenmp -Rpass=polytile -Rpass-missed=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: env POLYTILE='min-work=0;parallel-min-us=0' %clang -O3 -march=native -fopenmp %s -o %t.all
// RUN: %plainclang -O1 -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=2 %t > %t.out
// RUN: env OMP_NUM_THREADS=2 %t.all > %t.all.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// RUN: cmp %t.all.out %t.plain.out
#include <stdio.h>
#include <stdlib.h>

// CHECK: summed-pairs.c:[[@LINE+3]]:3: remark: loop nest transformed: 1 statement
__attribute__((noinline)) void forces(int n, double cut, const double *restrict x, const double *restrict y, const double *restrict z,
                                      double *restrict fx, double *restrict fy, double *restrict fz) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r = dx * dx + dy * dy + dz * dz;
      if (r < cut && i != j) {
        double q = 1 / r, f = 48 * q * q * (q - 0.5);
        fx[i] += f * dx;
        fy[i] += f * dy;
        fz[i] += f * dz;
      }
    }
}

int main(void) {
  for (int n = 1; n < 700; n = 2 * n + 1) {
    double *m = calloc(6 * n, sizeof(double)), sum = 0;
    for (int i = 0; i < 3 * n; i++)
      m[i] = (i * 2654435761u >> 8) % 1000 / 50.0;
    for (int cut = 1; cut < 300; cut *= 8)
      forces(n, cut, m, m + n, m + 2 * n, m + 3 * n, m + 4 * n, m + 5 * n);
    for (int i = 0; i < 6 * n; i++)
      sum = sum * 0.75 + m[i];
    printf("%d %a\n", n, sum);
    free(m);
  }
}
