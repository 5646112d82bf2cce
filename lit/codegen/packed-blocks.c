// A product whose sum is cut in blocks by hand: which column is copied to a panel depends on the block, and on the step in it.
// RUN: %clang -O3 -march=x86-64-v4 -Rpass=polytile -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new && %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// CHECK: loop nest transformed: {{.*}} 1 packed operand
#include <stdio.h>
#define N 80
static double a[N][N], b[N][N], c[N][N];

__attribute__((noinline)) static void product(int n, int m) {
  for (int kk = 0; kk < n; kk += 4)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        double s = c[i][j];
        for (int k = kk; k < (kk + 4 < n ? kk + 4 : n); k++)
          s += a[i][k] * b[k][j];
        c[i][j] = s;
      }
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * 5 + j * 3) % 7, b[i][j] = (i + j * 2) % 5, c[i][j] = 1;
  for (int t = 0; t < 20; t++)
    product(70 + t % 7, 77 - t);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf(" %g", c[i][j]);
}
