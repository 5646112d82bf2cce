// The largest distance between a sweep's old and new values by `fmax`, and the largest element by one loop: in lanes, and in parts for threads. NaN is no
// number in any order; zeros of both signs are told apart in the program's order, but by functions, to which the back end gives either one.
// RUN: env POLYTILE="dump=ast;min-work=0" %clang -O3 -march=x86-64-v4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE="min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -lm -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__((noinline))

// CHECK: parallel
// CHECK: strips, first [n{{[0-9]+}}] of S{{[0-9]+}} in 8 lanes
OWN double sweep(int n, int m, const double *restrict u, double *restrict v, double largest) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double t = .25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
      largest = fmax(largest, fabs(t - u[i * m + j]));
      v[i * m + j] = t;
    }
  return largest;
}

// CHECK: strips, first [n{{[0-9]+}}] of S{{[0-9]+}} in 8 lanes
OWN double least(int n, const double *restrict a, const double *restrict b, double *restrict c, double s) {
  for (int i = 0; i < n; i++) {
    c[i] = a[i] * b[i];
    s = fmin(s, c[i] * c[i]);
  }
  return s;
}

// CHECK-NOT: strips
OWN double signed_numbers(int n, const double *restrict a, const double *restrict b, double *restrict c, double s) {
  for (int i = 0; i < n; i++) {
    c[i] = a[i] + b[i];
    s = fmin(s, c[i]);
  }
  return s;
}

// CHECK: strips, first [n{{[0-9]+}}] of S{{[0-9]+}} in 16 lanes
OWN float peak(int n, const float *a, float s) {
  for (int i = 0; i < n; i++)
    if (a[i] > s)
      s = a[i];
  return s;
}

static double number(int kind) {
  static unsigned state = 1;
  state = state * 1103515245 + 12345;
  unsigned q = state >> 16 & 63;
  if (kind == 0)
    return q & 1 ? 0.0 : -0.0;
  if (q < 2 && kind == 2)
    return NAN;
  if (q < 8)
    return q < 5 ? 0.0 : -0.0;
  return kind == 3 ? -(double)q : (double)q - 32;
}

static void print(double v) {
  unsigned long bits;
  memcpy(&bits, &v, sizeof bits);
  if (v != v)
    puts("nan");
  else
    printf("%lx\n", bits);
}

int main(void) {
  enum { n = 600 };
  static double a[n], b[n], c[n];
  static float f[n];
  const double begin[] = {0, -0.0, -1e30, 1e30, NAN, -5};
  for (int t = 0; t < 160; t++) {
    for (int i = 0; i < n; i++) {
      a[i] = number(t % 4);
      b[i] = number(t / 4 % 4);
      f[i] = a[i];
    }
    for (int s = 0; s < 6; s++) {
      int m = 1 + t * 7 % n;
      print(sweep(m / 25, 25, a, c, begin[s]));
      print(sweep(3, m / 3, a, c, begin[s]));
      print(least(m, a, b, c, begin[s]));
      print(signed_numbers(m, a, b, c, begin[s]));
      print(peak(m, f, begin[s]));
    }
  }
}
