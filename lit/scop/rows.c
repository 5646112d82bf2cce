// Subscripts stay inside their rows, so that two accesses to one element have the same subscripts.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
#include <string.h>
#define N 100
double A[N][N], B[N][N];

// All of A in one memory set: every row, not only the first.
// CHECK: scop "whole_matrix
// CHECK: domain { S0[i0, i1] : 0 <= i0 < c100 and 0 <= i1 < c100 }
// CHECK: write { S0[i0, i1] -> [[A:M[0-9]_A]][i0, i1] }
// CHECK: domain { S1[i0, i1]
// CHECK: write { S1[i0, i1] -> [[A]][1 + i0, 1 + i1] }
void whole_matrix(int n) {
  memset(A, 0, sizeof A);
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      A[i][j] += B[j][i];
}

// The same with a size that is known at run time only.
// CHECK: scop "whole_rows
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[N:pn_[0-9]+]] and 0 <= i1 < [[N]] }
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_a[i0, i1] }
void whole_rows(int n, double a[n][n], double b[n][n]) {
  memset(a, 0, sizeof(double) * (size_t)n * (size_t)n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i];
}

// a[i][n-1-j] lies where a[i+1][-1-j] would.
// CHECK: scop "backwards
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_a[i0, -1 + [[N:pn_[0-9]+]] - i1] }
// CHECK: read { S0[i0, i1] -> M{{[0-9]}}_b[i0, i1] }
void backwards(int n, double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][n - 1 - j] = b[i][j] + 1;
}
