// Sizes in small structures that are passed by value share a register: each is a parameter of its own.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2>&1 | FileCheck %s --check-prefix=RUNS
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, cols;
  double *data;
} matrix;

typedef struct {
  int n, m;
} dims;

typedef struct {
  short n, m;
  int stride;
} grid;

// What is assumed holds whatever the other size is.
// CHECK-LABEL: function "times"
// CHECK-NOT: assume{{.*}}4294967296
// CHECK: domain { S{{[0-9]+}}[i0, i1, i2] :
// RUNS: times: new version 4 {{.*}}original 2;
__attribute__((noinline)) void times(matrix a, matrix b, matrix c) {
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < b.cols; j++) {
      double s = 0;
      for (int k = 0; k < a.cols; k++)
        s += a.data[i * a.cols + k] * b.data[k * b.cols + j];
      c.data[i * c.cols + j] = s;
    }
}

// CHECK-LABEL: function "both"
// CHECK: domain { S{{[0-9]+}}[i0, i1, i2] :
// RUNS: both: new version 2 {{.*}}original 0
__attribute__((noinline)) void both(dims d, double *restrict c, const double *restrict a, const double *restrict b) {
  for (int i = 0; i < d.n; i++)
    for (int j = 0; j < d.m; j++)
      for (int k = 0; k < d.n; k++)
        c[i * d.m + j] += a[i * d.n + k] * b[k * d.m + j];
}

// CHECK-LABEL: function "short_ones"
// CHECK: domain { S{{[0-9]+}}[i0, i1] :
// RUNS: short_ones: new version 2 {{.*}}original 1;
__attribute__((noinline)) void short_ones(grid g, double *restrict to, const double *restrict from) {
  for (int i = 1; i < g.n - 1; i++)
    for (int j = 1; j < g.m - 1; j++)
      to[i * g.stride + j] = from[(i - 1) * g.stride + j] + from[i * g.stride + j - 1] + from[i * g.stride + j + 1] + from[(i + 1) * g.stride + j];
}

// A register that is looked at as a whole is one value.
// CHECK-LABEL: function "whole"
// CHECK: domain { S{{[0-9]+}}[i0] : {{.*}} < pt0_0 }
__attribute__((noinline)) void whole(long n, double *restrict to, const double *restrict from) {
  for (long i = 0; i < n; i++)
    to[i * (int)n] = 2 * from[i];
}

#ifdef MAIN
static matrix make(int rows, int cols) {
  matrix m = {rows, cols, malloc(sizeof(double) * (rows * cols + 1))};
  for (int i = 0; i < rows * cols; i++)
    m.data[i] = i * 7 % 23 * .25 - 2;
  return m;
}

static void print(const double *data, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * .75 + data[i];
  printf("%a\n", sum);
}

int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {5, 3, 7}, {33, 40, 29}, {64, 65, 66}, {4, 0, 4}, {0, 3, 2}};
  for (int s = 0; s < 6; s++) {
    int n = sizes[s][0], k = sizes[s][1], m = sizes[s][2];
    matrix a = make(n, k), b = make(k, m), c = make(n, m);
    times(a, b, c);
    print(c.data, n * m);
  }
  matrix a = make(70, 70), b = make(70, 90), c = make(70, 90);
  both((dims){70, 90}, c.data, a.data, b.data);
  print(c.data, 70 * 90);
  both((dims){60, 100}, c.data, a.data, b.data);
  print(c.data, 70 * 90);
  short_ones((grid){70, 90, 90}, c.data, b.data);
  print(c.data, 70 * 90);
  short_ones((grid){-3, 90, 90}, c.data, b.data);
  short_ones((grid){60, 80, 90}, c.data, b.data);
  print(c.data, 70 * 90);
  whole(60, c.data, b.data);
  print(c.data, 70 * 90);
}
#endif
