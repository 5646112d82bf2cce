// Many products of small matrices, whose size is known at run time: together they are work enough, but each fills a corner of a register tile. From
// which size on the new version runs is a condition of its own.
// RUN: %clang -O3 -march=x86-64-v4 -ffp-contract=off %s -o %t -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain
// RUN: env POLYTILE_VERBOSE=1 %t 3 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: env POLYTILE_VERBOSE=1 %t 16 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: %t.plain 3 > %t.expected && %t 3 | cmp - %t.expected
// RUN: %t.plain 16 > %t.expected && %t 16 | cmp - %t.expected
//
// CHECK: loop nest transformed{{.*}} 1 register tile{{.*}}; at run time: 2 conditions, enough work
// SMALL: batch: new version 0
// LARGE: batch: new version 1
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void batch(int n, int m, const double *restrict a, const double *restrict b, double *restrict c) {
  for (int e = 0; e < n; e++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double s = 0;
        for (int k = 0; k < m; k++)
          s += a[((long)e * m + i) * m + k] * b[((long)e * m + k) * m + j];
        c[((long)e * m + i) * m + j] = s;
      }
}
int main(int argc, char **argv) {
  int m = argc > 1 ? atoi(argv[1]) : 4, n = 10000;
  long size = (long)n * m * m;
  double *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *c = malloc(size * sizeof *c);
  for (long i = 0; i < size; i++) {
    a[i] = i % 17 * .1;
    b[i] = i % 13 * .3;
  }
  batch(n, m, a, b, c);
  double sum = 0;
  for (long i = 0; i < size; i++)
    sum = sum * .5 + c[i];
  printf("%.17g\n", sum);
}
