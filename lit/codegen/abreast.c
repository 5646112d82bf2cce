// Loops that find out themselves when they end, for the lanes of a vector: a lane whose loop is done computes its last iteration again until
// the others are done.
// RUN: %clang -O3 -march=znver4 -fopenmp -Rpass=loop-vectorize -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env POLYTILE='only=escape' %clang -O3 -march=znver4 -fopenmp -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %plainclang -O3 -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp %s -lm -o %t.short
// RUN: %plainclang -O1 -ffp-contract=off %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.short | cmp - %t.expected
#include <math.h>
#include <stdio.h>

enum { N = 75 };

// Two ways out, and a test in front of the loop that differs between the elements: those beyond a circle have no orbit.
// CHECK: abreast.c:{{.*}}: remark: vectorized loop (vectorization width: 16, interleaved count: 1)
// IR-DAG: call <16 x i32> @escape.row{{.*}}.abreast(
// IR-DAG: define internal {{.*}}<16 x i32> @escape.row{{.*}}.abreast(
__attribute__((noinline)) void escape(int n, int most, double size, int *steps) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double cx = -2 + i * size, cy = -1.25 + j * size, x = cx, y = cy;
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

// Several results, of several types.
__attribute__((noinline)) void roots(int n, const float *restrict a, float *restrict root, int *restrict steps) {
  for (int i = 0; i < n; i++) {
    float x = a[i], last;
    int k = 0;
    do {
      last = x;
      x = 0.5f * (x + a[i] / x);
      k++;
    } while (fabsf(x - last) > 1e-6f * x && k < 60);
    root[i] = x;
    steps[i] = k;
  }
}

// A choice in each step, of integers.
__attribute__((noinline)) void collatz(int n, const unsigned long *restrict a, int *restrict steps, unsigned long *restrict top) {
  for (int i = 0; i < n; i++) {
    unsigned long x = a[i], most = x;
    int k = 0;
    while (x > 1) {
      x = x & 1 ? 3 * x + 1 : x >> 1;
      most = x > most ? x : most;
      k++;
    }
    steps[i] = k;
    top[i] = most;
  }
}

// CHECK: abreast.c:[[@LINE+3]]:{{.*}}: remark: vectorized loop (vectorization width: 16, interleaved count: 1)
// Three ways out, two in the middle of a step.
__attribute__((noinline)) void march(int n, const double *restrict slope, double *restrict where) {
  for (int i = 0; i < n; i++) {
    double x = 0, d = 1;
    for (int k = 0; k < 200; k++) {
      d = 1.25 - x * slope[i];
      if (d < 1e-7)
        break;
      x += 0.4 * d;
      if (x > 40) {
        x = -1;
        break;
      }
    }
    where[i] = x + d;
  }
}

// One operation brings an angle into range, mostly none does: such loops stay the program's.
// CHECK-NOT: abreast.c:[[@LINE+2]]:{{.*}}: remark: vectorized loop
__attribute__((noinline)) void turned(int n, const double *restrict slope, double *restrict where) {
  for (int i = 0; i < n; i++) {
    double angle = slope[i] * 5 - 4;
    while (angle < 0)
      angle += 1.5;
    where[i] += angle;
  }
}

int main(void) {
  static int steps[N * N], rooted[N], halved[N];
  static unsigned long start[N], top[N];
  static float a[N], root[N];
  static double slope[N], where[N];
  for (int i = 0; i < N; i++) {
    a[i] = i * 37 % 301 + 0.5f;
    start[i] = i * 7919 % 1013, slope[i] = (i * 53 % 71) * 0.03;
  }
  for (int n = 1; n <= N; n += n < 20 ? 1 : 11) {
    escape(n, 150, 2.5 / n, steps);
    roots(n, a, root, rooted);
    collatz(n, start, halved, top);
    march(n, slope, where);
    turned(n, slope, where);
    for (int i = 0; i < n * n; i++)
      printf("%d\n", steps[i]);
    for (int i = 0; i < n; i++)
      printf("%a %d %d %lu %a\n", root[i], rooted[i], halved[i], top[i], where[i]);
  }
}
