// Rows that a table names: which row it is stands still in the innermost loop, so its elements lie side by side, and no lane gathers them.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=x86-64-v4 -fopenmp -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: define {{.*}}@neighbours.polytile
// CHECK-NOT: masked.gather
// CHECK: {{^}}define {{.*}}@main
#include <stdio.h>
enum { N = 90, M = 133 };

__attribute__((noinline)) void neighbours(int n, int m, const int *restrict next, const int *restrict last, const float *restrict c,
                                          float *restrict mu) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      mu[i * (long)m + j] = 0.5f * (c[next[i] * (long)m + j] + c[last[i] * (long)m + j]) - c[i * (long)m + j];
}

static float c[N * M], mu[N * M];
static int next[N], last[N];

int main(void) {
  for (int i = 0; i < N; i++)
    next[i] = (i + 1) % N, last[i] = (i + N - 1) % N;
  for (int i = 0; i < N * M; i++)
    c[i] = (float)(i % 13) * 0.25f;
  neighbours(N, M, next, last, c, mu);
  double sum = 0;
  for (int i = 0; i < N * M; i++)
    sum = sum * 0.99 + mu[i];
  printf("%.17g\n", sum);
}
