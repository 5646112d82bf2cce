// Loops that find out themselves when they end, one for each element: operations of the nest around them, which runs on threads.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -Rpass-missed=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#pragma STDC FP_CONTRACT OFF

enum { N = 61 };

// CHECK-DAG: orbits.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed: {{.*}} parallel loop
__attribute__((noinline)) void escape(int n, int most, double size, int *steps) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double cx = -2 + i * size, cy = -1.25 + j * size, x = 0, y = 0;
      int k = 0;
      while (x * x + y * y <= 4 && k < most) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        k++;
      }
      steps[j * n + i] = k;
    }
}

// Divisions of integers trap where a lane has no divisor any more, so there are no lanes for any length of the arrays.
// CHECK-DAG: orbits.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed: {{.*}} parallel loop
__attribute__((noinline)) void divisors(int n, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict d) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], y = b[i];
    while (y) {
      unsigned t = x % y;
      x = y;
      y = t;
    }
    d[i] = x;
  }
}

// A table that the loop looks up, and does not write.
// CHECK-DAG: orbits.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed: {{.*}} parallel loop
__attribute__((noinline)) void places(int n, int m, const double *restrict table, const double *restrict x, int *restrict place) {
  for (int i = 0; i < n; i++) {
    int low = 0, high = m;
    while (low < high) {
      int middle = (low + high) / 2;
      if (table[middle] < x[i])
        low = middle + 1;
      else
        high = middle;
    }
    place[i] = low;
  }
}

// The loop writes: it stays.
// CHECK-DAG: orbits.c:[[@LINE+2]]:3: {{.*}} not transformed: the number of iterations cannot be computed
__attribute__((noinline)) void halve(int n, int *restrict a, int *restrict trace) {
  for (int i = 0; i < n; i++) {
    int x = a[i], k = 0;
    while (x > 1) {
      trace[i * 32 + k++] = x;
      x = x % 2 ? x - 1 : x / 2;
    }
    a[i] = k;
  }
}

int main(void) {
  static int steps[N * N], place[N], trace[N * 32], a[N];
  static unsigned x[N], y[N], d[N];
  static double table[N], key[N];
  escape(N, 150, 2.5 / N, steps);
  for (int i = 0; i < N; i++) {
    x[i] = i * 2310 % 997, y[i] = i * 1430 % 1009, a[i] = i * 37 % 301;
    table[i] = i * 1.5, key[i] = i * 61 % 97;
  }
  for (int n = 1; n <= N; n++)
    divisors(n, x, y, d);
  places(N, N, table, key, place);
  halve(N, a, trace);
  for (int i = 0; i < N * N; i++)
    printf("%d\n", steps[i]);
  for (int i = 0; i < N; i++)
    printf("%u %d %d %d\n", d[i], place[i], a[i], trace[i * 32]);
}
