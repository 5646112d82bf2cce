// A product whose sums are minima of floating-point numbers, which are compared and chosen, is a register tile: each cell takes its
// terms in the order of the program, so that NaN and zeros of both signs stay what they are.
// RUN: %clang -O3 -march=native -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#define N 70
#define NI __attribute__((noinline))

// CHECK: minima.c:[[#@LINE+2]]:{{.*}}loop nest transformed: {{.*}}1 register tile
NI void shortest(int n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float least = INFINITY;
      for (int k = 0; k < n; k++) {
        float t = a[i * n + k] + b[k * n + j];
        if (t < least)
          least = t;
      }
      c[i * n + j] = least;
    }
}

NI void widest(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) {
        double t = a[i * n + k] < b[k * n + j] ? a[i * n + k] : b[k * n + j];
        c[i * n + j] = c[i * n + j] >= t ? c[i * n + j] : t;
      }
}

int main(void) {
  static float a[N * N], b[N * N], c[N * N];
  static double x[N * N], y[N * N], z[N * N];
  for (int n = 0; n <= N; n += 7) {
    for (int i = 0; i < N * N; i++) {
      a[i] = i % 13 == 5 ? NAN : i % 31 - 15;
      b[i] = i % 5 ? -0.f : i % 17;
      x[i] = i % 11 == 3 ? -0.0 : i % 7 - 3;
      y[i] = i % 19 == 8 ? NAN : i % 3 - 1;
      z[i] = i % 2 ? NAN : -1;
    }
    shortest(n, a, b, c);
    widest(n, x, y, z);
    fwrite(c, sizeof c, 1, stdout);
    fwrite(z, sizeof z, 1, stdout);
  }
}
