// All elements of a matrix, filled one behind the other, in front of a nest over its rows: no row has as many elements, so that the
// fill is left out, and the nest has a version that runs.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// CHECK: scop "squared
// CHECK-NOT: assume in-bounds
// CHECK: stmt S0
// CHECK: S0[i0, i1, i2]
__attribute__((noinline)) void squared(int n, double *restrict a, double *restrict c) {
  for (int i = 0; i < n * n; i++)
    a[i] = i % 97 * .1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * a[k * n + j];
}

// The same of a number of elements that nothing else is known of.
// CHECK: scop "counted
// CHECK-NOT: assume in-bounds
// CHECK: stmt S0
// CHECK: S0[i0, i1, i2]
__attribute__((noinline)) void counted(int n, long count, double *restrict a, double *restrict c) {
  for (double *p = a; p < a + count; p++)
    *p = .5;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * a[k * n + j];
}

// But not of columns that the loops inside go to as well.
// CHECK: scop "first_row
// CHECK: stmt S0
// CHECK: S0[i0]
__attribute__((noinline)) void first_row(int n, int columns, int pitch, double *restrict a) {
  for (int j = 0; j < columns; j++)
    a[j] = 1;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < columns; j++)
      a[i * pitch + j] += a[(i - 1) * pitch + j];
}

int main(void) {
  for (int n = 0; n <= 40; n += 8) {
    double *a = calloc(n * n + 1, sizeof *a), *c = calloc(n * n + 1, sizeof *c);
    squared(n, a, c);
    fwrite(c, sizeof *c, n * n, stdout);
    counted(n, n * n, a, c);
    fwrite(c, sizeof *c, n * n, stdout);
    first_row(n, n, n, c);
    fwrite(c, sizeof *c, n * n, stdout);
    free(a);
    free(c);
  }
}
