// Scratch lines that the program reads afterwards: the last plane, which leaves them, is a nest beside the others, whose chains stay in one loop as they are in the
// source and divide once.
// RUN: env "POLYTILE=dump=ast;only=solved" %clang -O3 -march=x86-64-v4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: lanes
// CHECK: S0(
// CHECK-NEXT: S1(
// CHECK-NEXT: for
// CHECK-NEXT: {
// CHECK-NEXT: S2(
// CHECK-NEXT: S3(
// CHECK-NEXT: }
#include <stdio.h>
#include <stdlib.h>
#define AT(i, j, k) (((size_t)(i) * ny + (j)) * nz + (k))
__attribute__((noinline)) void solved(double *u, const double *kappa, unsigned nx, unsigned ny, unsigned nz, double lambda, double *c, double *d) {
  for (unsigned i = 0; i < nx; i++)
    for (unsigned k = 0; k < nz; k++) {
      double first = 1 + lambda * kappa[AT(i, 0, k)];
      c[0] = -lambda * kappa[AT(i, 0, k)] / first;
      d[0] = u[AT(i, 0, k)] / first;
      for (unsigned j = 1; j < ny; j++) {
        double l = lambda * kappa[AT(i, j, k)], m = 1 / (1 + 2 * l + l * c[j - 1]);
        c[j] = -l * m;
        d[j] = (u[AT(i, j, k)] + l * d[j - 1]) * m;
      }
      u[AT(i, ny - 1, k)] = d[ny - 1];
      for (unsigned j = ny - 1; j-- > 0;)
        u[AT(i, j, k)] = d[j] - c[j] * u[AT(i, j + 1, k)];
    }
}
#ifdef MAIN
int main(void) {
  for (unsigned n = 1; n < 70; n += n / 2 + 1) {
    unsigned nx = n, ny = n + 3, nz = n + 40, all = nx * ny * nz;
    double *u = malloc(all * 8), *kappa = malloc(all * 8), *c = malloc(ny * 8), *d = malloc(ny * 8), sum = 0;
    for (unsigned i = 0; i < all; i++) {
      u[i] = 1 - .01 * (i % 17);
      kappa[i] = 1 + .05 * (i % 10);
    }
    for (int t = 0; t < 3; t++)
      solved(u, kappa, nx, ny, nz, .2, c, d);
    for (unsigned i = 0; i < all; i++)
      sum += u[i] * (1 + i % 7);
    for (unsigned j = 0; j < ny; j++)
      sum += c[j] + d[j];
    printf("%.17g\n", sum);
    free(u), free(kappa), free(c), free(d);
  }
}
#endif
