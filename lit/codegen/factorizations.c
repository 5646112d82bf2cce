// Factorizations that update what is left in each step (right-looking), by rows and by columns: inner loops count from the
// diagonal, so that rows of the schedule that follow the written cells are sums of iterators. The rows beside them are found,
// and updates run in register tiles.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiles -lm
// RUN: env OMP_NUM_THREADS=3 %t.tiles | cmp - %t.expected
#include <math.h>
#define N 83

// CHECK: factorizations.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void lu_columns(int n, double (*restrict a)[N]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[k][i] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[j][i] -= a[k][i] * a[j][k];
    }
}

// CHECK: factorizations.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void lu_rows(int n, double (*restrict a)[N]) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int j = k + 1; j < n; j++)
      for (int i = k + 1; i < n; i++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// CHECK: factorizations.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void cholesky_columns(int n, double (*restrict a)[N]) {
  for (int k = 0; k < n; k++) {
    a[k][k] = sqrt(a[k][k]);
    for (int i = k + 1; i < n; i++)
      a[k][i] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j <= i; j++)
        a[j][i] -= a[k][i] * a[k][j];
  }
}

// CHECK: factorizations.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void cholesky_rows(int n, double (*restrict a)[N]) {
  for (int k = 0; k < n; k++) {
    a[k][k] = sqrt(a[k][k]);
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int j = k + 1; j < n; j++)
      for (int i = j; i < n; i++)
        a[i][j] -= a[i][k] * a[j][k];
  }
}

// Sums before the division: the compiler leads the first step past them, where they are empty, and the counter of steps is a
// constant behind it.
// CHECK: factorizations.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}register tile
void lu_left(int n, double (*restrict a)[N]) {
  for (int j = 0; j < n; j++) {
    for (int i = 1; i <= j; i++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
  }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N];
static void run(int n, void (*factorize)(int, double (*)[N])) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * j + i + j) % 31 * 0.125 + (i == j) * 4 * N;
  factorize(n, a);
  fwrite(a, sizeof a, 1, stdout);
}

int main(void) {
  for (int n = 0; n <= N; n += n < 20 ? 1 : 7) {
    run(n, lu_columns);
    run(n, lu_rows);
    run(n, cholesky_columns);
    run(n, cholesky_rows);
    run(n, lu_left);
  }
  return 0;
}
#endif
