// A dynamic program over intervals: each cell takes the greatest of sums of finished cells left of it and below it.
// Updates by integer maxima commute, so that a finished cell is pushed to all cells right of it at once, whatever
// updates them otherwise, and if the minimum is a branch around a store as well. Sums keep their order. So do floating-point minima, which
// are pushed in lanes without a register tile.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=deps,schedule;only=intervals" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=schedule;only=sums" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=schedule;only=chain" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=schedule;only=tree" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 %t.tiled | cmp - %t.expected
//
// CHECK: S0 -> S1 flow anti output commutes
// CHECK: wavefront: [ 0, 1 ]
// CHECK: register_tile: { stmt: S1, row: 0
// CHECK: sequence:
// CHECK: loops: [ vector ]
// SUMS-NOT: vector
// TREE-NOT: register_tile
// TREE: wavefront: [ 0, 1 ]
// TREE: loops: [ vector ]
// TREE-NOT: register_tile
// CHAIN: register_tile: { stmt: S2, row: 0
#define N 301
void intervals(int n, int (*restrict t)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      int best = t[i][j];
      best = best >= t[i][j - 1] ? best : t[i][j - 1];
      t[i][j] = best;
      for (int k = i + 1; k < j; k++)
        t[i][j] = t[i][j] >= t[i][k] + t[k + 1][j] ? t[i][j] : t[i][k] + t[k + 1][j];
    }
}

void sums(int n, unsigned (*restrict t)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      t[i][j] += t[i][j - 1];
      for (int k = i + 1; k < j; k++)
        t[i][j] += t[i][k] ^ t[k + 1][j];
    }
}

void chain(int n, const int *restrict d, int (*restrict m)[N]) {
  for (int i = 0; i < n; i++)
    m[i][i] = 0;
  for (int l = 1; l < n; l++)
    for (int i = 0; i + l < n; i++) {
      int j = i + l;
      m[i][j] = 1 << 30;
      for (int k = i; k < j; k++) {
        int q = m[i][k] + m[k + 1][j] + d[i] * d[k + 1] * d[j + 1];
        if (q < m[i][j])
          m[i][j] = q;
      }
    }
}

void tree(int n, const double *restrict p, double (*restrict c)[N]) {
  for (int i = 0; i < n; i++)
    c[i][i] = 0;
  for (int l = 1; l < n; l++)
    for (int i = 0; i + l < n; i++) {
      c[i][i + l] = 1e300;
      for (int r = i; r < i + l; r++) {
        double t = c[i][r] + c[r + 1][i + l] + p[i] * p[i + l];
        if (t < c[i][i + l])
          c[i][i + l] = t;
      }
    }
}
#ifdef MAIN
#include <stdio.h>
static int x[N][N], w[N][N];
static unsigned y[N][N];
static double z[N][N], p[N];
static int d[N + 1];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 9, 48, 64, 65, 97, 150, 301};
  for (int s = 0; s < 11; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        x[i][j] = (i * 7 + j * 13) % 31 - 15;
        y[i][j] = (i + j * 5) % 3;
      }
    intervals(sizes[s], x);
    sums(sizes[s] % 40, y);
    for (int i = 0; i <= N; i++)
      d[i] = (i * 5 + s) % 7 + 1;
    for (int i = 0; i < N; i++)
      p[i] = i % 4 == 1 ? -0.0 : i % 9 == 4 ? __builtin_nan("") : (i * 3 + s) % 5 * 0.3;
    chain(sizes[s], d, w);
    tree(sizes[s], p, z);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (z[i][j] != z[i][j])
          z[i][j] = -1;
    fwrite(w, sizeof w, 1, stdout);
    fwrite(z, sizeof z, 1, stdout);
    fwrite(x, sizeof x, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
  }
}
#endif
