// Independent problems that share scratch memory run in lanes, each with its part of a panel: pairs of words with one row, small systems with one
// matrix, options with calls that no vector instruction does, and integers that are divided. Lanes are left over in all of them.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=znver4 -ffp-contract=off -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -ffp-contract=off -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.lanes -lm
// RUN: env OMP_NUM_THREADS=3 %t.lanes | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.lanes | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.lanes 2>&1 | FileCheck %s --check-prefix=RAN
// RAN-DAG: words: new version 1
// RAN-DAG: systems: new version 1
// RAN-DAG: options: new version 1
// RAN-DAG: numbers: new version 1
#include <math.h>
#include <stdio.h>
enum { P = 333, N = 40, M = 9, STEPS = 50 };

// One row of the table, and the diagonal in a scalar.
// CHECK: 16 lanes, A{{[0-9]+}} contracted
__attribute__((noinline)) void words(int n, signed char (*restrict a)[N], signed char (*restrict b)[N], int *restrict row, int *restrict cost) {
  for (int k = 0; k < P; k++) {
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= n; j++) {
        int up = row[j], v = diagonal + (a[k][i - 1] != b[k][j - 1]);
        v = up + 1 < v ? up + 1 : v;
        v = row[j - 1] + 1 < v ? row[j - 1] + 1 : v;
        diagonal = up;
        row[j] = v;
      }
    }
    cost[k] = row[n];
  }
}

// Two subscripts beside the problem's.
// CHECK: 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
__attribute__((noinline)) void systems(int n, double (*restrict a)[M][M], double (*restrict b)[M]) {
  double m[M][M], r[M];
  for (int p = 0; p < P; p++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) m[i][j] = a[p][i][j];
      r[i] = b[p][i];
    }
    for (int k = 0; k < n; k++)
      for (int i = k + 1; i < n; i++) {
        double f = m[i][k] / m[k][k];
        for (int j = k + 1; j < n; j++) m[i][j] -= f * m[k][j];
        r[i] -= f * r[k];
      }
    for (int i = n - 1; i >= 0; i--) {
      double s = r[i];
      for (int j = i + 1; j < n; j++) s -= m[i][j] * r[j];
      r[i] = s / m[i][i];
    }
    for (int i = 0; i < n; i++) b[p][i] = r[i];
  }
}

// Calls and numbers of problems in statements around the loops.
// CHECK: 2 x 8 lanes, A{{[0-9]+}} contracted
__attribute__((noinline)) void options(int n, const double *restrict strike, double *restrict value) {
  double v[N + 1];
  for (int o = 0; o < P; o++) {
    double up = exp((.1 + .001 * o) * .05), s = 100 * pow(up, -n);
    for (int i = 0; i <= n; i++) {
      v[i] = s < strike[o] ? strike[o] - s : 0;
      s *= up * up;
    }
    for (int t = n - 1; t >= 0; t--) {
      s = 100 * pow(up, -t);
      for (int i = 0; i <= t; i++) {
        double held = .5 * v[i + 1] + .49 * v[i], now = strike[o] - s;
        v[i] = held < now ? now : held;
        s *= up * up;
      }
    }
    value[o] = v[0];
  }
}

// Remainders by numbers that differ in each lane.
// CHECK: 16 lanes
__attribute__((noinline)) void numbers(const unsigned *restrict modulus, unsigned *restrict last) {
  unsigned x[N];
  for (int p = 0; p < P; p++) {
    x[0] = p + 1;
    for (int t = 0; t < STEPS; t++)
      for (int i = 1; i < N; i++) x[i] = (x[i - 1] * 17 + (t > 0 ? x[i] : i)) % modulus[p];
    last[p] = x[N - 1];
  }
}

#ifdef MAIN
static signed char a[P][N], b[P][N];
static double m[P][M][M], r[P][M], strike[P], value[P];
static unsigned modulus[P], last[P];
int main(void) {
  int row[N + 1], cost[P];
  for (int p = 0; p < P; p++) {
    for (int i = 0; i < N; i++) a[p][i] = (p * i + 3) % 5, b[p][i] = (p + 2 * i) % 5;
    for (int i = 0; i < M; i++) {
      r[p][i] = i - p % 7;
      for (int j = 0; j < M; j++) m[p][i][j] = (i == j) * 9 + (p + i * j) % 4 * .3;
    }
    strike[p] = 80 + .1 * p;
    modulus[p] = 1 + (p * 37) % 1009;
  }
  words(N, a, b, row, cost);
  systems(M, m, r);
  options(N, strike, value);
  numbers(modulus, last);
  for (int p = 0; p < P; p++) printf("%d %a %a %a %u\n", cost[p], r[p][0], r[p][M - 1], value[p], last[p]);
  for (int j = 0; j <= N; j++) printf("%d\n", row[j]);
}
#endif
