// Grids that are chosen by the remainder of a step's number, or lie in an array of pointers, and steps whose number the sweeps use: what is left
// over of them counts on.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=run' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.both
// RUN: env OMP_NUM_THREADS=2 %t.both | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

#define FIVE(a) (0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]))
#define SWEEP for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)

// CHECK-DAG: turns.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed
__attribute__((noinline)) void chosen(int steps, int n, double *x, double *y) {
  for (int t = 0; t < steps; t++) {
    double *a = t % 2 ? y : x, *b = t % 2 ? x : y;
    SWEEP b[i * n + j] = FIVE(a);
  }
}

// From another step on, down to one, by three.
// CHECK-DAG: turns.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed
__attribute__((noinline)) void down(int n, double *x, double *y) {
  for (unsigned t = 37; t > 3; t -= 3) {
    double *a = t & 1 ? y : x, *b = t & 1 ? x : y;
    SWEEP b[i * n + j] = FIVE(a) + t;
  }
}

// The compiler hands one of the pointers on.
// CHECK-DAG: turns.c:[[@LINE+3]]:3: {{.*}}: loop nest transformed
__attribute__((noinline)) void numbered(int steps, int n, double *u[2]) {
  int now = 0;
  for (int t = 0; t < steps; t++) {
    double *a = u[now], *b = u[!now];
    SWEEP b[i * n + j] = FIVE(a);
    now = !now;
  }
}

// CHECK-DAG: turns.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed
__attribute__((noinline)) void three(int steps, int n, double *u[3]) {
  for (int t = 0; t < steps; t++) {
    double *p = u[t % 3], *a = u[(t + 1) % 3], *b = u[(t + 2) % 3];
    SWEEP b[i * n + j] = 2 * a[i * n + j] - p[i * n + j] + 0.1 * (FIVE(a) - a[i * n + j]);
  }
}

// The table of the pointers is one of the grids, as far as the compiler knows.
__attribute__((noinline)) void table(int steps, int n, double **u) {
  for (int t = 0; t < steps; t++) {
    char *a = (char *)u[t % 2], *b = (char *)u[(t + 1) % 2];
    SWEEP b[i * n + j] = a[i * n + j] + a[i * n + j - 1] * t;
  }
}

// The number of a step in subscripts, and in values.
// CHECK-DAG: turns.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed
__attribute__((noinline)) double *rows(int steps, int n, double *restrict a, double *restrict b, const double *restrict cost) {
  for (int t = 0; t < steps; t++) {
    SWEEP b[i * n + j] = FIVE(a) + cost[t * n + j];
    double *s = a;
    a = b;
    b = s;
  }
  return a;
}

__attribute__((noinline)) double *past(int steps, int n, double *p, double *a, double *b, const double *cost) {
  for (int t = steps; t > 0; t--) {
    SWEEP b[i * n + j] = 2 * a[i * n + j] - p[i * n + j] + cost[t * n] * FIVE(a) + t;
    double *s = p;
    p = a;
    a = b;
    b = s;
  }
  return a;
}

// A row after the other, of which two are kept: the first place of the one before is handed on. Blocks wait for their neighbours.
// CHECK-DAG: turns.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed: {{.*}} 2 tile loops
__attribute__((noinline)) int distance(int n, int m, const char *a, const char *b, int *restrict before, int *restrict row) {
  for (int i = 1; i <= n; i++) {
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int s = before[j - 1] + (a[i - 1] != b[j - 1]), d = before[j] + 1, e = row[j - 1] + 1;
      s = d < s ? d : s;
      row[j] = e < s ? e : s;
    }
    int *s = before;
    before = row;
    row = s;
  }
  return before[m];
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
  static int before[64], row[64];
  static char text[128];
  for (int i = 0; i < 128; i++)
    text[i] = "acgt"[i * i % 7 % 4];
  for (int steps = 0; steps < 8; steps++)
    for (int n = 11; n < 50; n += 19) {
      double *u[3] = {grid(n, 5), grid(n, 7), grid(n, 11)}, *cost = grid(n, 3);
      chosen(steps, n, u[0], u[1]), show(u[0], n), show(u[1], n);
      chosen(steps, n, u[0], u[0]), show(u[0], n);
      down(n, u[0], u[1]), show(u[0], n), show(u[1], n);
      numbered(steps, n, u), show(u[0], n), show(u[1], n);
      three(steps, n, u), show(u[0], n), show(u[1], n), show(u[2], n);
      show(rows(steps, n, u[0], u[1], cost), n), show(u[1], n);
      show(past(steps, n, u[0], u[1], u[2], cost), n), show(u[0], n), show(u[2], n);
      double *same[3] = {u[0], u[0], u[1]};
      numbered(steps, n, same), three(steps, n, same), show(u[0], n), show(u[1], n);
      table(steps, n, u), show(u[0], n), show(u[1], n);
      for (int j = 0; j < n; j++)
        before[j] = j, row[j] = 0;
      printf("%d %d %d\n", distance(steps * 3, n, text, text + 5, before, row), before[n / 2], row[n / 2]);
      free(u[0]), free(u[1]), free(u[2]), free(cost);
    }
}
