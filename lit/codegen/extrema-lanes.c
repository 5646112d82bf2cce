// Minima and maxima of floating-point numbers run in lanes of whole strips: of equal numbers only zeros differ, and a zero is found in order
// unless no negative one can be. NaN is never taken, and stays if it was there before.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v3 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=1;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=1;verify=on" %clang -O3 -march=x86-64 -DMAIN %s -o %t.narrow -lm && %t.narrow | cmp - %t.expected
#include <math.h>
#pragma STDC FP_CONTRACT OFF
#define NI __attribute__((noinline))

// A product may be a negative zero.
// CHECK: strips, first {{.*}} in 4 lanes
NI double least(int n, int m, double a[][m], double b[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = a[i][j] * b[i][j] / 3;
      if (v < s)
        s = v;
    }
  return s;
}

// CHECK: strips, first {{.*}} in 4 lanes
NI double largest(int n, int m, double a[][m], double b[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = a[i][j] * b[i][j] / 3;
      s = v > s ? v : s;
    }
  return s;
}

// A distance is not.
// CHECK: strips, first {{.*}} in 8 lanes
NI float farthest(int n, int m, float a[][m], float b[][m], float s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float v = fabsf(a[i][j] - b[i][j]) / 3;
      s = s < v ? v : s;
    }
  return s;
}
#ifdef MAIN
#include <stdio.h>
enum { N = 5, M = 230 };
static double a[N * M], b[N * M];
static float f[N * M], g[N * M];

static void run(int m, int kind) {
  const double values[] = {0.0, -0.0, NAN, 1.5, -1.5};
  for (int i = 0; i < N * M; i++) {
    int at = (i * 7 + i / 3) % 5;
    a[i] = values[kind == 0 ? at % 2 : kind == 1 ? at % 3 : at];
    b[i] = kind == 3 ? i % 11 : i % 7 ? 1 : -1;
    f[i] = (float)a[i], g[i] = kind == 3 ? (float)b[i] : 0;
  }
  const double from[] = {0.0, -0.0, NAN, 1e9, -1e9};
  for (int k = 0; k < 5; k++) {
    double x = least(N, m, (void *)a, (void *)b, from[k]), y = largest(N, m, (void *)a, (void *)b, from[k]);
    float z = farthest(N, m, (void *)f, (void *)g, (float)from[k]);
    // The sign of NaN is nobody's.
    printf("%d %d %d: %a %a %a\n", m, kind, k, x == x ? x : 7, y == y ? y : 7, z == z ? z : 7);
  }
}

int main(void) {
  const int rows[] = {1, 63, 64, 65, 128, 200, M};
  for (int r = 0; r < 7; r++)
    for (int kind = 0; kind < 4; kind++)
      run(rows[r], kind);
}
#endif
