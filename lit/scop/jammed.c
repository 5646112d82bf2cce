// Rows and blocks that were jammed by hand: two rows at a time of a matrix-vector product, blocks of two by two of a product. In the
// model they are the plain nests again; an order that may not change is kept. Two rows at a time are no row of twice the length. Where the loop ends
// at a part of a size, the number of its iterations is a parameter.
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=rows" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=blocks" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=crossed" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: env "POLYTILE=min-work=0;dump=scop,ast;only=product" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.rolled
// RUN: env OMP_NUM_THREADS=3 %t.rolled | cmp - %t.expected
//
// ROWS: array M{{.*}} extents (300)
// ROWS: stmt S0
// ROWS: write { S0[i0, i1] -> {{.*}}[i0] }
// ROWS-NOT: stmt
#define N 300
void rows(int m, int n, double *restrict y, double (*restrict a)[N], double *restrict x) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      y[2 * i] += a[2 * i][j] * x[j];
      y[2 * i + 1] += a[2 * i + 1][j] * x[j];
    }
}

// BLOCKS: stmt S0
// BLOCKS: write { S0[i0, i1, i2] -> {{.*}}[i0, i1] }
// BLOCKS-NOT: stmt
void blocks(int n, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        c[2 * i][2 * j] += a[2 * i][k] * b[k][2 * j];
        c[2 * i][2 * j + 1] += a[2 * i][k] * b[k][2 * j + 1];
        c[2 * i + 1][2 * j] += a[2 * i + 1][k] * b[k][2 * j];
        c[2 * i + 1][2 * j + 1] += a[2 * i + 1][k] * b[k][2 * j + 1];
      }
}

// The second row takes from the first what it has so far.
// CROSSED: stmt S1
void crossed(int m, int n, double *restrict y, double (*restrict a)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      y[2 * i + 1] += a[2 * i][j] * y[2 * i];
      y[2 * i + 2] += a[2 * i + 1][j] * y[2 * i + 1];
    }
}

// Four rows at a time, and rows of any length.
// PRODUCT: param [[N:pt[0-9_]+]] = v0
// PRODUCT: param q0 = (udiv (smax {{.*}} 0) 4)
// PRODUCT: context { {{.*}}4q0
// PRODUCT: stmt S1
// PRODUCT-NEXT: iters
// PRODUCT-NEXT: domain { S1[i0, i1, i2] : 0 <= i0 < 4q0 and 0 <= i1 < {{.*}} and 0 <= i2 < {{.*}} }
// PRODUCT-NOT: stmt
// PRODUCT: tile {{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}} S1(
void product(int n, int m, int p, double *restrict c, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i += 4)
    for (int j = 0; j < m; j++) {
      double s[4] = {0, 0, 0, 0};
      for (int k = 0; k < p; k++)
        for (int r = 0; r < 4; r++)
          s[r] += a[(i + r) * p + k] * b[k * m + j];
      for (int r = 0; r < 4; r++)
        c[(i + r) * m + j] = s[r];
    }
}

// The rows below a rounded size: those of an empty matrix are a case of their own, with a tile under its condition.
void rounded(int n, int p, int row, const float *a, const float *x, float *y) {
  for (int i = 0; i < n / 4 * 4; i += 4) {
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 0; k < p; k++) {
      s0 += a[(i + 0) * row + k] * x[k];
      s1 += a[(i + 1) * row + k] * x[k];
      s2 += a[(i + 2) * row + k] * x[k];
      s3 += a[(i + 3) * row + k] * x[k];
    }
    y[i + 0] = s0;
    y[i + 1] = s1;
    y[i + 2] = s2;
    y[i + 3] = s3;
  }
}
#ifdef MAIN
#include "Inputs/matrices.h"
#include <stdio.h>
static float f[N * N], g[N], h[N];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 5, 40, 131, 298};
  for (int s = 0; s < 8; s++) {
    int n = sizes[s];
    fill();
    rows(n / 2, n, y, a, x);
    blocks(n / 2, c, a, b);
    crossed(n / 2, n / 4, y, a);
    product(n / 2 - 3, n / 3, n / 4 + 1, &b[0][0], &a[0][0], &c[0][0]);
    fwrite(b, sizeof b, 1, stdout);
    for (int i = 0; i < N * N; i++)
      f[i] = i % 37 * 0.3f, g[i % N] = i % 11, h[i % N] = 1;
    rounded(n, n / 2, N, f, g, h);
    fwrite(h, sizeof h, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
    fwrite(c, sizeof c, 1, stdout);
  }
}
#endif
