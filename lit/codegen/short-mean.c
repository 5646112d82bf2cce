// The mean of a short line, whose sum the compiler unrolls: it is computed once for each line, not again for each element that it is taken from.
// RUN: env "POLYTILE=dump=scop;stop-after=scop" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: scop "
// CHECK: write {{.*}} -> M{{.*}} memory
// CHECK-COUNT-1: temporary
// CHECK-NOT: f64 op {{.*}} fadd
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void centred(int m, int n, const double (*restrict line)[24], const double *restrict w, double *restrict o) {
  for (int i = 0; i < m; i++) {
    double mean = 0;
    for (int k = 0; k < 24; k++)
      mean += line[i][k];
    for (int j = 0; j < n; j++)
      if (w[j] != 0)
        o[i * (long)n + j] -= w[j] * mean;
  }
}
#ifdef MAIN
int main(void) {
  enum { M = 50, N = 90 };
  static double line[M][24], w[N], o[M * N];
  for (int i = 0; i < M; i++)
    for (int k = 0; k < 24; k++)
      line[i][k] = (i * 7 + k * 3) % 11 * .1;
  for (int j = 0; j < N; j++)
    w[j] = j % 4 * .5;
  for (int t = 0; t < 5; t++)
    centred(M, N, line, w, o);
  double sum = 0;
  for (int i = 0; i < M * N; i++)
    sum += o[i] * (1 + i % 5);
  printf("%.17g\n", sum);
}
#endif
