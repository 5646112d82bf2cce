// Loops over part of a matrix walk it askew, because iterators count from 0. The search still finds its rows.
// RUN: env POLYTILE=dump=ast %clang -O2 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.lanes
// RUN: env OMP_NUM_THREADS=3 %t.lanes | cmp - %t.expected

// Column by column, from the diagonal down: row by row, in lanes.
// CHECK-LABEL: // parallel Dynamic
// CHECK-NEXT: for (c0 = 0; c0 <= (p0 - 1); c0 += 1)
// CHECK-NEXT:   // vector
// CHECK-NEXT:   for (c1 = 0; c1 <= c0; c1 += 1)
// CHECK-NEXT:     S0(c1, (c0 - c1));
void askew(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long j = 0; j < n; j++)
    for (long i = j; i < n; i++)
      a[i * n + j] = b[i * n + j] + c[i * n + j];
}

// Chains down the columns and along the rows of two matrices: both in lanes, of columns and of rows.
// CHECK: // 2 x 8 lanes
// CHECK: S0(c1, c2);
// CHECK-NEXT: S1(c2, c1);
void both(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 1; i < n; i++) {
    for (long j = 1; j < n; j++)
      a[j * n + i] = a[(j - 1) * n + i] / 2 + c[j * n + i];
    for (long j = 1; j < n; j++)
      b[j * n + i] = b[j * n + i - 1] / 2 + c[j * n + i];
  }
}
#ifdef MAIN
#include <stdio.h>
#define N 75
static double x[N * N], y[N * N], z[N * N];
int main(void) {
  const long sizes[] = {0, 1, 2, 9, 16, 33, N};
  for (int s = 0; s < 7; s++) {
    for (int i = 0; i < N * N; i++)
      x[i] = i % 7, y[i] = i % 11 * 0.5, z[i] = i % 13;
    askew(sizes[s], x, y, z);
    both(sizes[s], x, y, z);
    fwrite(x, sizeof x, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
  }
}
#endif
