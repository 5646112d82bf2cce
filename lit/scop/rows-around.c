// Rows that loops around the region choose, `c[i*ld + j]`: the product of two values that are nowhere else belongs to the base, whether the length of rows is
// read with its sign or without.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// CHECK-LABEL: function "segments"
// CHECK: strides (8) extents () origin
// CHECK: domain { S{{[0-9]+}}[i0, i1] :
// CHECK: write { S{{[0-9]+}}[i0, i1] -> {{[A-Za-z0-9_]+}}[i1] }
__attribute__((noinline)) void segments(int n, const int *first, const double *restrict v, const double *restrict b, double *restrict c, int m) {
  for (int i = 0; i < n; i++)
    for (int k = first[i]; k < first[i + 1]; k++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += v[k] * b[k * m + j];
}

// CHECK-LABEL: function "row"
// CHECK: strides (8) extents () origin
// CHECK: write { S{{[0-9]+}}[i0, i1] -> {{[A-Za-z0-9_]+}}[i1] }
__attribute__((noinline)) void row(int from, int to, long i, long ld, const double *restrict v, double *restrict c, int m) {
  for (int k = from; k < to; k++)
    for (int j = 0; j < m; j++)
      c[i * ld + j] += v[k] * (j + 1);
}

// Three values, of which one is in the number of iterations.
// CHECK-LABEL: function "plane"
// CHECK: write { S{{[0-9]+}}[i0, i1] -> {{[A-Za-z0-9_]+}}[i0, i1] }
__attribute__((noinline)) void plane(int rows, int m, long i, long ld, const double *restrict v, double *restrict c) {
  for (int k = 0; k < rows; k++)
    for (int j = 0; j < m; j++)
      c[i * ld * rows + k * m + j] += v[k] * (j + 1);
}

#ifdef MAIN
int main(void) {
  enum { N = 12, M = 37, K = 90 };
  int first[N + 1];
  double *v = malloc(8 * K), *b = malloc(8 * K * M), *c = calloc(N * M * 9, 8);
  for (int i = 0; i <= N; i++)
    first[i] = i * K / N - i % 3 * (i < N);
  for (int k = 0; k < K; k++)
    v[k] = k % 7 * .25 - .5;
  for (int k = 0; k < K * M; k++)
    b[k] = k % 11 * .125;
  segments(N, first, v, b, c, M);
  segments(0, first, v, b, c, M);
  segments(N, first, v, b, c, 0);
  for (int i = 0; i < 5; i++) {
    row(3, 40, i, M, v, c + i, M - i);
    row(5, 25, -i, -3, v, c, M);
    plane(4, 5 + i, i, 6, v, c);
  }
  for (int i = 0; i < N * M; i++)
    printf("%a\n", c[i]);
}
#endif
