// Subscripts that a condition on data chooses: each way has its own load, at an affine subscript. In vectors they are two masked loads, not a gather.
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64-v4 -S -o - %s -Rpass=polytile 2>%t.remarks | FileCheck --check-prefix=CODE %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: env "POLYTILE=dump=scop;stop-after=scop;only=limited" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: env "POLYTILE=dump=scop;stop-after=scop;only=apart" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=APART %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// REMARK: [[#@LINE+19]]:3: remark: loop nest transformed{{.*}}1 vector loop
//
// CODE-LABEL: donors.polytile.team:
// CODE-NOT: gather
// CODE: vmovupd {{.*}}{%k
// CODE-LABEL: .cfi_endproc
//
// All three ways are read by counters alone.
// SCOP: read { {{.*}}[2 + i0, i1]
// SCOP-NOT: gather
// SCOP: root
//
// What lies far apart is gathered at once: one access to all of the array.
// APART: gather
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
__attribute__((noinline)) void donors(int n, int m, double (*restrict flux)[m], double (*restrict vol)[m], double (*restrict d)[m],
                                      double (*restrict out)[m]) {
  for (int k = 2; k < n - 2; ++k)
    for (int j = 2; j < m - 2; ++j) {
      int donor = flux[k][j] > 0 ? j - 1 : j;
      out[k][j] = flux[k][j] * (d[k][donor] * (fabs(flux[k][j]) / vol[k][donor]));
    }
}
__attribute__((noinline)) void limited(int n, int m, double (*restrict flux)[m], double (*restrict d)[m], double *restrict dx,
                                       double (*restrict out)[m]) {
  for (int k = 2; k < n - 2; ++k)
    for (int j = 2; j < m - 2; ++j) {
      int up, donor, down;
      if (flux[k][j] > 1) {
        up = j - 2, donor = j - 1, down = j;
      } else if (flux[k][j] > 0) {
        up = donor = down = j;
      } else {
        up = j + 1, donor = j, down = j - 1;
      }
      double a = d[k][donor] - d[k][up], b = d[k][down] - d[k][donor], l = 0;
      if (a * b > 0)
        l = fmin(fabs(a), fabs(b)) / dx[donor];
      out[k][j] = flux[k][j] * (d[k][donor] + l);
    }
}
__attribute__((noinline)) void apart(int n, int m, double (*restrict flux)[m], double (*restrict d)[m], double (*restrict out)[m]) {
  for (int k = 2; k < n - 2; ++k)
    for (int j = 2; j < m - 2; ++j)
      out[k][j] = flux[k][j] * d[flux[k][j] > 0 ? j - 1 : j][k];
}
#ifdef MAIN
int main(void) {
  static const int sizes[] = {4, 5, 6, 13, 40, 67};
  for (int s = 0; s < 6; ++s) {
    int n = sizes[s];
    double(*a)[n] = malloc(sizeof(double[n][n])), (*b)[n] = malloc(sizeof(double[n][n])), (*c)[n] = malloc(sizeof(double[n][n])),
          (*o)[n] = calloc(n, sizeof(double[n])), *dx = malloc(sizeof(double[n]));
    for (int i = 0; i < n; ++i) {
      dx[i] = 1 + i % 3;
      for (int j = 0; j < n; ++j) {
        a[i][j] = (i * 31 + j * 17) % 23 / 5. - 2;
        b[i][j] = 1 + (i * 7 + j * 3) % 11 * .3;
        c[i][j] = (i * 5 + j * 13) % 19 * .1;
      }
    }
    unsigned long h = 0;
    for (int w = 0; w < 3; ++w) {
      w == 0 ? donors(n, n, a, b, c, o) : w == 1 ? limited(n, n, a, c, dx, o) : apart(n, n, a, c, o);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          union { double d; unsigned long u; } x = {o[i][j]};
          h = h * 31 + x.u;
        }
    }
    printf("%d %lx\n", n, h);
  }
}
#endif
