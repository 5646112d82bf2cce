// Shapes of loops and subscripts that are in SCoPs. Each function shows its domain or an access.
// RUN: %clang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
#include <string.h>
#define N 100

// CHECK: scop "trapezium
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[N:pt[0-9_]+]] and 0 <= i1 < {{pt[0-9_]+}} }
// CHECK: write { S0[i0, i1] -> M0_argument_3[i0 + i1, i0] }
void trapezium(int n, int m, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < i + m; j++)
      a[j][i] += 1;
}

// CHECK: scop "least
// CHECK: domain { S0[i0, i1] : i0 < {{pt[0-9_]+}} and 0 <= i1 < i0 and i1 < {{pt[0-9_]+}}
void least(int n, int m, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (i < m ? i : m); j++)
      a[i][j] += 1;
}

// CHECK: scop "down
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[D:pt[0-9_]+]] and i1 >= 0 and {{.*}} }
// CHECK: write { S0[i0, i1] -> M0_argument_2[-1 + [[D]] - i0, -1 + [[D]] - 3i1] }
void down(int n, double (*restrict a)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j > 0; j -= 3)
      a[i][j] += 1;
}

// CHECK: scop "unsigned_counters
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[U:pt[0-9_]+]] and i1 >= 0 and 2i1 < [[U]] }
// CHECK: write { S0[i0, i1] -> M0_argument_2[i0, 2i1] }
void unsigned_counters(unsigned n, double (*restrict a)[N]) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j += 2)
      a[i][j] += 1;
}

// CHECK: scop "clear_rows
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_argument_2[i0, i1] }
// CHECK: write { S1[i0, i1] -> M{{[0-9]}}_argument_3[i0, i1] }
void clear_rows(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++) {
    memset(a[i], 0, sizeof a[i]);
    memcpy(b[i], a[i], sizeof a[i]);
  }
}

// CHECK: scop "every_third
// CHECK: domain { S0[i0, i1] : {{.*}}mod 3
void every_third(int n, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i + j) % 3 == 1)
        a[i][j] += 1;
}

// Rows of fewer elements than a loop may take rows at a time.
// CHECK: scop "short_rows
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_argument_3[i0, i1] }
void short_rows(int n, int m, unsigned char (*restrict a)[6]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] *= 3;
}

// All accesses move along diagonals of rows with a margin: the rows are of n + 2 elements, not of n + 3.
// CHECK: scop "diagonals
// CHECK: array M0_argument_2 f32 {{.*}} extents ((mul 1 (add nsw 2 {{.*}}
// CHECK: write { S0[i0, i1] -> M0_argument_2[1 + i1, 1 + i0 + i1] }
// CHECK: read { S0[i0, i1] -> M0_argument_2[1 + i1, i0 + i1] }
void diagonals(int n, float (*restrict a)[n + 2]) {
  for (int l = 1; l <= n; l++)
    for (int i = 1; i <= n - l + 1; i++)
      a[i][i + l - 1] = a[i][i + l - 2] + 1;
}
