// Overlapping arguments: the original version runs, with and without an OpenMP runtime.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.omp && env OMP_NUM_THREADS=2 %t.omp | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native %s -o %t.seq && %t.seq | cmp - %t.expected
#include <stdio.h>
__attribute__((noinline)) void add(int n, double *a, double *b) {
  for (int r = 1; r < n; r++)
    for (int i = 0; i < n; i++)
      a[r * 300 + i] = a[(r - 1) * 300 + i] + b[r * 300 + i];
}
static double x[90600];
int main(void) {
  for (int i = 0; i < 90600; i++)
    x[i] = i % 17;
  add(300, x, x + 7);
  double sum = 0;
  for (int i = 0; i < 90600; i++)
    sum = 0.5 * sum + x[i];
  printf("%a\n", sum);
  add(300, x, x);
  for (int i = 0; i < 90600; i++)
    sum = 0.5 * sum + x[i];
  printf("%a\n", sum);
}
