// An array that nobody reads behind the nests is no window where they reach it by another pointer as well, which a condition of the
// program chose: arrays that turn out to be one are told apart at run time, as others are.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on;dump=ast" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <stdlib.h>

// No thread has rows of its own.
// CHECK-LABEL: for (
// CHECK-NOT: private
__attribute__((noinline)) void met(long n, long m, int both, const double *restrict in, double *restrict out) {
  double *rows = malloc(n * m * sizeof(double)), *others = malloc(n * m * sizeof(double));
  double *chosen = both ? rows : others;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      rows[i * m + j] = in[i * m + j] + 1;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      chosen[i * m + j] = in[i * m + j] * 2;
  for (long i = 0; i < n - 2; i++)
    for (long j = 0; j < m; j++)
      out[i * m + j] = rows[i * m + j] + rows[(i + 1) * m + j] * rows[(i + 2) * m + j];
  free(rows);
  free(others);
}

#ifdef MAIN
#include <stdio.h>

int main(void) {
  enum { N = 150, M = 203 };
  static double in[N * M], out[N * M];
  for (long i = 0; i < N * M; i++)
    in[i] = i % 17;
  for (int both = 0; both < 2; both++) {
    met(N, M, both, in, out);
    fwrite(out, sizeof *out, N * M, stdout);
  }
}
#endif
