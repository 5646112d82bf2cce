// Loops that go on while two conditions hold, of which the optimizer tests one at the head and one at the end: one test, and a number of iterations. What a loop
// leaves depends on the test that ends it.
// RUN: %clang -O3 -march=x86-64-v4 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=native -g -S -emit-llvm -o %t.ll %s 2>&1 | count 0
// RUN: opt-22 -passes=verify -disable-output %t.ll
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: two-tests.c:[[@LINE+4]]:3: remark: loop nest transformed: {{.*}}1 register tile
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void solved(int n, int width, int m, const double *restrict a, double *restrict b) {
  for (int v = 0; v < m; v++) {
    double *x = &b[(size_t)v * n];
    for (int j = 0; j < n; j++) {
      x[j] /= a[j * (width + 1)];
      for (int d = 1; d <= width && j + d < n; d++)
        x[j + d] -= a[j * (width + 1) + d] * x[j];
    }
  }
}
__attribute__((noinline)) int ended(int n, int m, const int *restrict p, int *restrict q) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int j = 0, ended = 5;
    for (;;) {
      if (j >= i) {
        ended = 1;
        break;
      }
      q[j] += p[i * m + j];
      sum += q[j];
      if (++j >= m) {
        ended = 2;
        break;
      }
    }
    sum = sum * 3 + ended + j;
  }
  return sum;
}
__attribute__((noinline)) int reached(int n, int m, int k, const int *restrict p, int *restrict q) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int j;
    for (j = 0; j < m && j + i < k && j < 40; j++)
      q[j] += p[i * m + j];
    sum += j;
  }
  return sum;
}
#ifdef MAIN
int main(void) {
  enum { N = 120, M = 40 };
  double *a = malloc(N * 64 * sizeof(double)), *b = malloc(N * M * sizeof(double));
  int *p = malloc(N * N * sizeof(int)), *q = calloc(N, sizeof(int));
  for (int i = 0; i < N * 64; i++)
    a[i] = 3 + i % 7 * .01;
  for (int i = 0; i < N * M; i++)
    b[i] = 1 + i % 5;
  for (int i = 0; i < N * N; i++)
    p[i] = i % 13;
  for (int width = 0; width < 60; width += 7)
    for (int n = 0; n <= N; n = 2 * n + 1)
      solved(n, width, M, a, b);
  double sum = 0;
  for (int i = 0; i < N * M; i++)
    sum += b[i];
  unsigned all = 0;
  for (int n = 0; n <= N; n = 2 * n + 1)
    for (int m = 1; m <= N; m = 3 * m + 1)
      all = all * 31 + ended(n, m, p, q) + reached(n, m, n + m / 2, p, q);
  for (int i = 0; i < N; i++)
    all = all * 31 + q[i];
  printf("%.17g %u\n", sum, all);
}
#endif
