// Tile sizes from the environment at run time, and two levels of tiles: always the bytes of the original.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
//
// RUN: env "POLYTILE=tile-sizes=runtime;min-work=0;dump=ast" %clang -O3 %s -o %t.runtime 2>&1 | FileCheck --check-prefix=RUNTIME %s
// RUNTIME: += s0)
// RUN: %t.runtime | cmp - %t.expected
// RUN: env POLYTILE_TILE_SIZES=1,1,1 %t.runtime | cmp - %t.expected
// RUN: env POLYTILE_TILE_SIZES=7,5,3 %t.runtime | cmp - %t.expected
// RUN: env POLYTILE_TILE_SIZES=1000000000000,0,-4,x %t.runtime | cmp - %t.expected
//
// RUN: env "POLYTILE=second-level=on;tile-sizes=40,32;min-work=0;dump=schedule" %clang -O3 %s -o %t.second 2>&1 | FileCheck --check-prefix=SECOND %s
// SECOND: tile: [ 40, 32 ]
// SECOND: tile: [ 16, 16 ]
// RUN: %t.second | cmp - %t.expected
//
// Sizes that are given change no kind of tile: diagonals, lanes and register tiles without rows stay.
// RUN: env "POLYTILE=min-work=0;dump=ast;tile-sizes=512;only=align" %clang -O3 -march=x86-64-v4 -mprefer-vector-width=512 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ALIGN %s
// ALIGN: // diagonal
// RUN: env "POLYTILE=min-work=0;dump=ast;tile-sizes=runtime;only=align" %clang -O3 -march=x86-64-v4 -mprefer-vector-width=512 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ALIGN %s
// RUN: env "POLYTILE=min-work=0;dump=ast;tile-sizes=512;only=sums" %clang -O3 -march=x86-64-v4 -mprefer-vector-width=512 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SUMS %s
// SUMS: tile 1x
#include <stdio.h>
static double a[2000][2000], b[2000][2000];
__attribute__((noinline)) void transpose_add(int n, double x[2000][2000], double y[2000][2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] += y[j][i];
}
void align(int n, int m, int s[restrict n][m], const signed char *x, const signed char *y) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int same = s[i - 1][j - 1] + (x[i - 1] == y[j - 1] ? 3 : -1);
      int gap = (s[i - 1][j] > s[i][j - 1] ? s[i - 1][j] : s[i][j - 1]) - 2;
      s[i][j] = same > gap ? same : gap;
    }
}
void sums(int n, double m[restrict n][n], double *restrict x, double *restrict y, double *restrict u, double *restrict v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += m[i][j] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += m[j][i] * v[j];
}
int main(void) {
  for (int n = 0; n < 90; n += 13) {
    for (int i = 0; i < 90; i++)
      for (int j = 0; j < 90; j++)
        b[i][j] = (double)(i * j % 11 + n) / 7;
    transpose_add(n, a, b);
    double sum = 0;
    for (int i = 0; i < 90; i++)
      for (int j = 0; j < 90; j++)
        sum = sum * 0.5 + a[i][j];
    printf("%a\n", sum);
  }
}
