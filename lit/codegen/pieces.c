// Sums without the element on the diagonal: a register tile for what lies below it, then one for what lies above it. In
// tiles, a swap keeps its value in a register.
// RUN: env "POLYTILE=dump=ast;only=apart" %clang -O2 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=ast;only=swap" %clang -O2 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SWAP %s
// RUN: env "POLYTILE=dump=ast;only=column" %clang -O2 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=COLUMN %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.pieces
// RUN: env OMP_NUM_THREADS=3 %t.pieces | cmp - %t.expected

// CHECK: tile 1x2x8 S{{[0-9]}}({{.*}}for k = 0..
// CHECK: tile 1x2x8 S{{[0-9]}}({{.*}}for k = ({{.*}})..(p0 - 1)
void apart(long n, double *restrict a, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = y[i];
    for (long j = 0; j < n; j++)
      if (j != i)
        s -= a[i * n + j] * x[j];
    y[i] = s / 3;
  }
}

// SWAP: S0(c2, c3);
// SWAP-NEXT: S1(c2, c3);
void swap(long n, float *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++) {
      float t = a[i * n + j];
      a[i * n + j] = a[j * n + i];
      a[j * n + i] = t;
    }
}

// The loop inside is contiguous and independent: nothing to gain in registers from sums that others wait for.
// COLUMN-NOT: tile
// COLUMN: S0(
void column(long n, double *restrict l, double *restrict x) {
  for (long j = 0; j < n; j++)
    for (long i = j + 1; i < n; i++)
      x[i] -= l[j * n + i] * x[j];
}
#ifdef MAIN
#include <stdio.h>
#define N 75
static double a[N * N], x[N], y[N];
static float f[N * N];
int main(void) {
  const long sizes[] = {0, 1, 2, 9, 16, 33, 64, N};
  for (int s = 0; s < 8; s++) {
    for (int i = 0; i < N * N; i++)
      a[i] = i % 7 * 0.125, f[i] = i;
    for (int i = 0; i < N; i++)
      x[i] = i % 11 * 0.5, y[i] = i % 13;
    apart(sizes[s], a, x, y);
    column(sizes[s], a, x);
    swap(sizes[s], f);
    fwrite(x, sizeof x, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
    fwrite(f, sizeof f, 1, stdout);
  }
}
#endif
