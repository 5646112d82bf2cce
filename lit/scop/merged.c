// What merges behind branches that iterators decide is taken by case: statements are split, and no scalar stands between the
// branches and them. What a loop may have computed stays in its scalar.
// RUN: %clang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -DMAIN %s -o %t.new && %plainclang -O1 -DMAIN %s -o %t.old
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O2 -DMAIN %s -o %t.forced
// RUN: %t.new > %t.new.txt && %t.old > %t.old.txt && cmp %t.new.txt %t.old.txt && %t.forced | cmp - %t.old.txt
#include <stdio.h>
#define N 57

// A table of a dynamic program: neighbours do not count.
// CHECK: scop "fold
// CHECK-NOT: array V
// CHECK: domain { S0[i0, i1] : {{.*}}0 < i1
// CHECK: domain { S1[i0, 0] :
// CHECK-NOT: stmt S2
void fold(int n, int (*restrict t)[N], const int *restrict s) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      int best = t[i][j], inner;
      if (i < j - 1) inner = t[i + 1][j - 1] + (s[i] + s[j] == 3 ? 1 : 0);
      else inner = t[i + 1][j - 1];
      t[i][j] = best > inner ? best : inner;
    }
}

// Three ways, two statements that use what merges.
// CHECK: scop "rims
// CHECK-NOT: array V
// CHECK: stmt S5
// CHECK-NOT: stmt S6
void rims(int n, int m, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N], double *restrict low,
          double *restrict high) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double left;
      if (j == 0) left = low[i] / c[i][i];
      else if (j == m - 1) left = high[i] * c[i][0];
      else left = c[i][j] - c[i][j - 1];
      a[i][j] = left * 0.5;
      b[i][j] = left + a[i][j];
    }
}

// The sum of no element and that of some.
// CHECK: scop "sums
void sums(int n, double *restrict y, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++) {
    double s = y[i];
    if (i > 3)
      for (int j = 0; j < i; j++) s += a[i][j];
    y[i] = s / a[i][i];
  }
}

#ifdef MAIN
static int t[N][N], s[N];
static double a[N][N], b[N][N], c[N][N], y[N], low[N], high[N];
int main(void) {
  for (int i = 0; i < N; i++) {
    s[i] = (i * 7 + 1) % 4; y[i] = i * 0.25; low[i] = i - 3.5; high[i] = 2 * i + 0.125;
    for (int j = 0; j < N; j++) { t[i][j] = (i * j) % 3; c[i][j] = 1 + (i * 13 + j * 5) % 17; a[i][j] = c[i][j] * 0.5; }
  }
  fold(N, t, s);
  for (int n = 0; n < 4; n++) rims(n, n, a, b, c, low, high);
  rims(N, N - 2, a, b, c, low, high);
  sums(N, y, c);
  double h = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) h = h * 0.97 + t[i][j] + a[i][j] - b[i][j] + y[i];
  printf("%a\n", h);
}
#endif
