// Tiles by hand whose size is known at run time: where each begins is no function of counters, but inside of a tile it is a number like any other.
// RUN: env POLYTILE=min-work=0 %clang -O3 -g1 -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -ffp-contract=off -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

static long least(long a, long b) { return a < b ? a : b; }

// CHECK: run-time-tiles.c:[[@LINE+5]]:9: remark: static control part: {{[0-9]}} statement{{s?}}, 3 loops
__attribute__((noinline)) void product(long n, long size, double *restrict a, double *restrict b, double *restrict c) {
  for (long jj = 0; jj < n; jj += size)
    for (long kk = 0; kk < n; kk += size)
      for (long ii = 0; ii < n; ii += size)
        for (long k = kk; k < least(kk + size, n); k++)
          for (long j = jj; j < least(jj + size, n); j++)
            for (long i = ii; i < least(ii + size, n); i++)
              c[i + n * j] += a[i + n * k] * b[k + n * j];
}

int main(void) {
  for (long n = 1; n < 100; n += 33)
    for (long size = 3; size < 90; size += 25) {
      double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *a), *c = malloc(n * n * sizeof *a), sum = 0;
      for (long i = 0; i < n * n; i++)
        a[i] = i % 7, b[i] = i % 11 * .25, c[i] = i % 5;
      product(n, size, a, b, c);
      for (long i = 0; i < n * n; i++)
        sum += c[i] * (i % 13);
      printf("%a\n", sum);
      free(a), free(b), free(c);
    }
}
