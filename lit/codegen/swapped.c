// Loops whose iterations exchange pointers, or the place of the current grid: two sweeps between fixed grids, or three.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: env POLYTILE=dump=scop %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=run' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.both
// RUN: env OMP_NUM_THREADS=2 %t.both | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// REMARK-DAG: swapped.c:[[@LINE+7]]:3: {{.*}}: loop nest transformed: 6 statements
// CHECK: scop "heat
// CHECK: stmt S0
// CHECK: write { S0[i0, i1, i2] -> [[B:M[0-9a-z_]+]][1 + i1, 1 + i2] }
// CHECK: stmt S1
// CHECK: write { S1[i0, i1, i2] -> [[A:M[0-9a-z_]+]][1 + i1, 1 + i2] }
__attribute__((noinline)) double *heat(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
    double *s = a;
    a = b;
    b = s;
  }
  return a;
}

// What was, what is and what will be.
// CHECK: scop "wave
// CHECK: stmt S2
__attribute__((noinline)) double *wave(int steps, int n, double *before, double *now, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = 2 * now[i * n + j] - before[i * n + j] +
                          0.1 * (now[i * n + j - 1] + now[i * n + j + 1] + now[(i - 1) * n + j] + now[(i + 1) * n + j] - 4 * now[i * n + j]);
    double *old = before;
    before = now;
    now = next;
    next = old;
  }
  return now;
}

// The number of the current one of two grids.
// CHECK: scop "numbered
// CHECK: stmt S1
__attribute__((noinline)) int numbered(int steps, int n, double (*u)[64][64]) {
  int c = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[1 - c][i][j] = 0.25 * (u[c][i - 1][j] + u[c][i + 1][j] + u[c][i][j - 1] + u[c][i][j + 1]) + t;
    c = 1 - c;
  }
  return c;
}

// The numbers of both.
// CHECK: scop "both
// CHECK: stmt S1
__attribute__((noinline)) int both(int steps, int n, int now, int next, double (*u)[64][64]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[next][i][j] = 0.25 * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] + u[now][i][j + 1]) - t;
    int old = now;
    now = next;
    next = old;
  }
  return now;
}

// With a condition behind each sweep, rows at a time.
__attribute__((noinline)) double *relaxed(int steps, int n, double *restrict a, double *restrict b, double *restrict edge) {
  for (int t = 1; t <= steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = a[i * n + j] * 0.5 + t * (a[(i - 1) * n + j] + a[(i + 1) * n + j]);
      b[i * n] = edge[i] * t;
    }
    double *s = a;
    a = b;
    b = s;
  }
  return b;
}

static double *grid(int n, int seed) {
  double *g = malloc(n * n * sizeof *g);
  for (int i = 0; i < n * n; i++)
    g[i] = (i * seed % 23) * 0.125;
  return g;
}

static void show(const double *g, int n) {
  for (int i = 0; i < n * n; i += 5)
    printf("%a\n", g[i]);
}

int main(void) {
  static double u[2][64][64];
  for (int steps = 0; steps < 8; steps++)
    for (int n = 3; n < 50; n += 23) {
      double *a = grid(n, 5), *b = grid(n, 7), *c = grid(n, 11), *edge = grid(n, 3);
      show(heat(steps, n, a, b), n), show(a, n), show(b, n);
      show(wave(steps, n, a, b, c), n), show(a, n), show(b, n), show(c, n);
      // The same grid twice.
      show(heat(steps, n, a, a), n);
      show(relaxed(steps, n, a, b, edge), n);
      for (int i = 0; i < 64 * 64; i++)
        u[0][i / 64][i % 64] = u[1][i / 64][i % 64] = i % 37;
      printf("%d %a %a\n", numbered(steps, n, u), u[0][n / 2][1], u[1][1][n / 2]);
      printf("%d %a %a\n", both(steps, n, 1, 0, u), u[0][n / 2][1], u[1][1][n / 2]);
      printf("%d %a\n", both(steps, n, 1, 1, u), u[1][1][n / 2]);
      free(a), free(b), free(c), free(edge);
    }
}
