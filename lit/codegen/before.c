// Subscripts that are no subscripts in the first iteration: `i - 1` is there an unsigned number of 32 bits. A register tile
// counts its steps from iteration 0, where no statement runs: the address there is one row before the array.
// RUN: %plainclang -O1 -march=native -fwrapv %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;parallel=off" %clang -O3 -march=native -fwrapv -Rpass=polytile %s -o %t.tiled 2>&1 | FileCheck %s
// RUN: %t.tiled | cmp - %t.expected
//
// CHECK: before.c:[[#]]:{{.*}} loop nest transformed: {{.*}} 1 register tile
#include <stdio.h>
#include <stdlib.h>
#define ROWS 31
static __attribute__((noinline)) void sums(unsigned long n, int m, double c[restrict m][m], double a[restrict ROWS][ROWS],
                                           double b[restrict n][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      c[i][j] *= 0.75;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j + 1; k++)
        c[j][k] += a[j][i - 1] * b[i - 1][k];
}

int main(void) {
  for (int n = 4; n <= ROWS + 1; n += 7) {
    double *c = malloc(sizeof *c * n * n), *b = malloc(sizeof *b * n * n), *a = malloc(sizeof *a * ROWS * ROWS);
    for (int x = 0; x < n * n; x++) {
      c[x] = x % 13 - 6;
      b[x] = x % 7 * 0.25;
    }
    for (int x = 0; x < ROWS * ROWS; x++)
      a[x] = x % 11 * 0.5;
    sums(n, n, (void *)c, (void *)a, (void *)b);
    for (int x = 0; x < n * n; x++)
      printf("%a\n", c[x]);
    free(a), free(b), free(c);
  }
  return 0;
}
