// Sweeps that change an array in place, and add up what they change: the terms go to a temporary, the sum runs behind the sweep in the program's order, and the
// sweep along diagonals. A greatest change and a sum of squares have one term.
// RUN: %clang -O3 -march=x86-64-v4 -g1 -Rpass=polytile -fno-caret-diagnostics -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=only=squares;dump=ast" %clang -O3 -march=x86-64-v4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=AST %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// AST: diagonal of
// AST-NEXT: for
// AST-NEXT: {
// AST-NEXT: S{{[0-9]+}}(
// AST-NEXT: S{{[0-9]+}}(
// AST-NEXT: }
#include <math.h>
#include <stdio.h>
#define N 70
#define M 90
static double u[N][M], f[N][M];

// CHECK: sweep-residual.c:[[@LINE+3]]:3: remark: loop nest transformed
__attribute__((noinline)) static double squares(int n, int m, double w) {
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double r = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j] - f[i][j];
      u[i][j] += w * r;
      s += r * r;
    }
  return s;
}
__attribute__((noinline)) static double both(int n, int m, double w, double *most) {
  double s = 0, q = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double d = w * (0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]) - u[i][j]);
      u[i][j] += d;
      if (fabs(d) > q)
        q = fabs(d);
      s += d * d;
    }
  *most = q;
  return s;
}
// What is stored, less what was there.
__attribute__((noinline)) static double changes(int n, int m) {
  double s = 0;
  for (int i = n - 2; i >= 1; i--)
    for (int j = 1; j < m - 1; j++) {
      double old = u[i][j];
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
      s += fabs(u[i][j] - old);
    }
  return s;
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      u[i][j] = (i * 31 + j * 17) % 101 / 7., f[i][j] = (i * 3 + j * 7) % 51 / 3.;
  for (int t = 0; t < 12; t++) {
    int n = N - t * t / 3, m = M - t * 7;
    double q, s = squares(n, m, 0.2 + 0.01 * t), b = both(n, m, 1.3, &q), c = changes(n, m);
    printf("%a %a %a %a\n", s, b, q, c);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      printf("%a\n", u[i][j]);
}
