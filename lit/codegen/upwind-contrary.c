// Upwind cells chosen by a condition and by its contrary, in subscripts of 32 bits: `k + (c ? -1 : 0)` beside `c ? k - 2 : min(k + 1, n)`.
// RUN: %clang -O3 -march=native -ffp-contract=off -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.all
// RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
// CHECK: upwind-contrary.c:14:{{.*}}loop nest transformed
#include <stdio.h>
#define AT(i, j, w) ((w) * ((j) - (y0 - 2)) + (i) - (x0 - 2))
enum { N = 300, M = 290 };
static double flux[(N + 9) * (M + 9)], cells[(N + 9) * (M + 9)], volume[(N + 9) * (M + 9)], mass[(N + 9) * (M + 9)];

__attribute__((noinline)) void advect(int x0, int x1, int y0, int y1, const double *flux, const double *cells, const double *volume, double *mass) {
  for (int k = y0; k <= y1 + 2; k++)
    for (int j = x0; j <= x1; j++) {
      int upwind, donor, downwind;
      if (flux[AT(j, k, x1 + 4)] > 0.0)
        upwind = k - 2, donor = k - 1, downwind = k;
      else
        upwind = k + 1 < y1 + 2 ? k + 1 : y1 + 2, donor = k, downwind = k - 1;
      double sigma = flux[AT(j, k, x1 + 4)] / volume[AT(j, donor, x1 + 5)];
      double up = cells[AT(j, donor, x1 + 4)] - cells[AT(j, upwind, x1 + 4)], down = cells[AT(j, downwind, x1 + 4)] - cells[AT(j, donor, x1 + 4)];
      double limit = up * down > 0.0 ? (1 - sigma) * (up < down ? up : down) : 0.0;
      mass[AT(j, k, x1 + 4)] = flux[AT(j, k, x1 + 4)] * (cells[AT(j, donor, x1 + 4)] + limit);
    }
}

int main(void) {
  unsigned x = 1;
  for (int i = 0; i < (N + 9) * (M + 9); i++) {
    x = x * 1664525u + 1013904223u;
    cells[i] = (x >> 8) * 1e-7, volume[i] = 1 + (x >> 20) * 1e-3, flux[i] = (x >> 9) * 1e-6 - 4;
  }
  for (int n = 0; n < 8; n++)
    advect(1, N - n, 1, M - 3 * n, flux, cells, volume, mass);
  advect(1, 1, 1, 1, flux, cells, volume, mass);
  double sum = 0;
  for (int i = 0; i < (N + 9) * (M + 9); i++)
    sum = sum * 0.75 + mass[i];
  printf("%a\n", sum);
}
