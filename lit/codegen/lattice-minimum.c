// Minima over every other or third element, by a condition on both counters: which rows have any is a quotient, and each row has a minimum of its own.
// RUN: %clang -O3 -march=x86-64-v3 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK-NOT: a form of loops or subscripts that the analysis does not handle
#include <stdio.h>
static int u[44][44];

__attribute__((noinline)) static int halves(int n, int m) {
  int r = 1000;
  for (int i = n - 1; i >= 0; i--)
    for (int j = m - 1; j >= 0; j--)
      if ((i + j) % 2 == 0)
        r = u[i][j] < r ? u[i][j] : r;
  return r;
}
__attribute__((noinline)) static int thirds(int n, int m) {
  int r = -1000;
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--)
      if ((i + j) % 3 == 1)
        r = u[i][j] > r ? u[i][j] : r;
  return r;
}
int main(void) {
  for (int i = 0; i < 44; i++)
    for (int j = 0; j < 44; j++)
      u[i][j] = (i * 37 + j * 61) % 997 - 400;
  for (int n = 0; n <= 44; n++)
    printf("%d %d %d\n", halves(n, 44 - n), halves(44, n), thirds(n, 44 - n / 2));
}
