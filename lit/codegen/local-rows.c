// Rows that each iteration fills before it reads them, in an array of the function that nobody reads afterwards: threads have rows of their own.
// Where a row finds what an earlier iteration left in it, or the caller sees the last one, iterations stay in order.
// RUN: env "POLYTILE=dump=ast;verify=on" %clang -O2 -march=x86-64-v3 -fopenmp -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#define NI __attribute__((noinline))
#define M 1024

// CHECK: // parallel Static private
// CHECK-NEXT: for (c0
NI void smooth(int n, int m, double u[][m], const double r[][m], double s, double t) {
  double across[M], corners[M];
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < m; j++) {
      across[j] = r[i - 1][j] + r[i + 1][j];
      corners[j] = r[i - 1][j] * r[i + 1][j];
    }
    for (int j = 1; j < m - 1; j++)
      u[i][j] += s * (r[i][j - 1] + r[i][j + 1] + across[j]) + t * (across[j - 1] + across[j + 1] + corners[j]);
  }
}

// CHECK-NOT: private
NI void with_old(int n, int m, double u[][m], const double r[][m]) {
  double row[M];
  for (int j = 0; j < m; j++)
    row[j] = 0;
  for (int i = 1; i < n - 1; i++) {
    for (int j = 1; j < m; j++)
      row[j] = r[i - 1][j] + r[i + 1][j];
    for (int j = 1; j < m - 1; j++)
      u[i][j] += row[j - 1] + row[j + 1];
    row[0] = u[i][1];
  }
}

NI void seen(int n, int m, double u[][m], const double r[][m], double row[restrict]) {
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < m; j++)
      row[j] = r[i - 1][j] + r[i + 1][j];
    for (int j = 1; j < m - 1; j++)
      u[i][j] += row[j - 1] + row[j + 1];
  }
}

#ifdef MAIN
#include <stdio.h>
#define N 90
static double u[N * N], r[N * N], row[N];
int main(void) {
  for (int n = 3; n < N; n += 29)
    for (int m = 3; m < N; m += 17) {
      for (int i = 0; i < N * N; i++)
        u[i] = i % 17 / 16.0, r[i] = i * 37 % 101 / 8.0;
      smooth(n, m, (void *)u, (void *)r, .25, .125);
      with_old(n, m, (void *)u, (void *)r);
      seen(n, m, (void *)u, (void *)r, row);
      fwrite(u, sizeof u, 1, stdout);
      fwrite(row, sizeof row, 1, stdout);
    }
}
#endif
