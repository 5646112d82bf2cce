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
#include <stdio.h>
static double a[2000][2000], b[2000][2000];
__attribute__((noinline)) void transpose_add(int n, double x[2000][2000], double y[2000][2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] += y[j][i];
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
