// Triangular systems with many right-hand sides, with the results of each step subtracted at once (right-looking): products
// in register tiles, although inner loops count from the diagonal. Where each unknown takes the newest others first, nothing
// can be subtracted early: the right-hand sides are lanes, and sums stay in registers.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.solves
// RUN: env OMP_NUM_THREADS=3 %t.solves | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=back" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=BACK %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=rows" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ROWS %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=corners" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=CORNERS %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;only=back" %clang -O3 -march=znver4 -S -o - %s | FileCheck --check-prefix=SUMS %s
#define N 83
//
// CHECK: solves.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void left(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) {
      b[k][j] /= a[k][k];
      for (int i = k + 1; i < n; i++)
        b[i][j] -= a[i][k] * b[k][j];
    }
}

// CHECK: solves.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void right(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      b[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        b[i][j] -= b[i][k] * a[k][j];
    }
}

// BACK: // 8 x 8 lanes
// Eight sums that stay in registers:
// SUMS-COUNT-8: {{vfnmadd231pd.*\(.*\), %zmm[0-9]+, %zmm}}
void back(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < n; k++)
        b[i][j] -= a[k][i] * b[k][j];
      b[i][j] /= a[i][i];
    }
}

// ROWS: // 2 x 8 lanes
void rows(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = n - 1; j >= 0; j--) {
      for (int k = j + 1; k < n; k++)
        b[i][j] -= b[i][k] * a[k][j];
      b[i][j] /= a[j][j];
    }
}

// Each row a system of its own, with its sums in order: what register tiles leave at the diagonal runs in lanes of rows.
// CORNERS: tile 8x3x8 S0
// CORNERS: // 1 x 8 lanes
// CORNERS: S0(
// CORNERS: S1(
void corners(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < j; k++)
        b[i][j] -= a[j][k] * b[i][k];
      b[i][j] /= a[j][j];
    }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N][N];
static void set(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 7 + j) % 31 * 0.125 + (i == j) * N;
      b[i][j] = (i + j * 3) % 17 - 5;
    }
}
static void run(int n, void (*solve)(int, double (*)[N], double (*)[N])) {
  set();
  solve(n, a, b);
  fwrite(b, sizeof b, 1, stdout);
}

int main(void) {
  for (int n = 0; n <= N; n += n < 20 ? 1 : 7) {
    run(n, left);
    run(n, right);
    run(n, back);
    run(n, rows);
    run(n, corners);
  }
  return 0;
}
#endif
