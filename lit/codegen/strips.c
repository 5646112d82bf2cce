// Loops that wait for a sum, a minimum or a maximum alone: what is summed up is computed for a strip of iterations in lanes, and taken up in
// order, so that the bits stay what they are, with NaN, zeros of both signs, and sizes around that of a strip.
// RUN: env "POLYTILE=dump=ast;verify=on" %clang -O2 -march=x86-64-v3 -ffp-contract=off -fno-math-errno -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=schedule;only=sum" %clang -O2 -march=x86-64-v3 -fno-math-errno -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=TREE %s
// RUN: env "POLYTILE=only=sum" %clang -O2 -march=x86-64-v3 -fno-math-errno -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: %plainclang -O1 -ffp-contract=off -fno-math-errno -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fno-math-errno -fopenmp -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;fusion=max;verify=on" %clang -O2 -ffp-contract=off -fno-math-errno -fopenmp -DMAIN %s -o %t.max -lm
// RUN: env OMP_NUM_THREADS=2 %t.max | cmp - %t.expected
#include <math.h>

// CHECK: // strips, first [n{{[0-9]+}}] of S{{[0-9]}}
// TREE: strips: [ {{[0-9]}} ]
// IR: define {{.*}}sum.polytile
// IR: alloca [64 x double]
// IR: icmp slt i32 {{.*}}, 16
// IR: llvm.sqrt.v4f64
__attribute__((noinline)) void sum(int n, int m, double a[][m], double b[][m], double *restrict out) {
  double s = *out;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += sqrt(a[i][j]) / b[i][j];
  *out = s;
}

// Nothing is written, and all that is left is a number.
// CHECK: // strips
__attribute__((noinline)) double least(int n, int m, double a[][m], double b[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = b[i][j] / sqrt(a[i][j] * a[i][j] + 1);
      if (v < s)
        s = v;
    }
  return s;
}

// A NaN is forgotten with the next element: the order of iterations decides.
// CHECK: // strips
__attribute__((noinline)) double most(int n, int m, double a[][m], double b[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = a[i][j] / (b[i][j] * b[i][j] + 2);
      s = s > v ? s : v;
    }
  return s;
}

// Two results, one of them with two operands.
// CHECK: // strips
// CHECK-NEXT: for
__attribute__((noinline)) double two(int n, int m, double a[restrict][m], double b[restrict][m], float *restrict t) {
  double s = 0;
  float r = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = b[i][j] / (a[i][j] + 3), w = sqrt(b[i][j] * b[i][j]);
      s = s * (v / 7) + w / 3;
      r = r + (float)(v / w);
    }
  *t = r;
  return s;
}

// A stencil and its residual compute much of the same, and are one statement.
// CHECK: // strips, first [n23] of S1
// CHECK-NEXT: for
// CHECK-NEXT: S1(c0, c1)
__attribute__((noinline)) double residual(int n, int m, double a[restrict][m], double b[restrict][m]) {
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double d = (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j] + a[i - 1][j - 1] + a[i + 1][j + 1] - 6 * a[i][j]) / (a[i][j] * a[i][j] + 1);
      s += d * d;
      b[i][j] = a[i][j] + 0.8 * d;
    }
  return s;
}

// The sum is needed by others in the loop.
// CHECK-NOT: // strips
__attribute__((noinline)) double prefix(int n, double a[restrict], double b[restrict]) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += sqrt(a[i]) / (a[i] + 2);
    b[i] = s;
  }
  return s;
}

// What is summed up depends on an earlier element.
__attribute__((noinline)) double chained(int n, double a[restrict]) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = sqrt(a[i - 1]) / (a[i] + 2);
    s += a[i] / 3;
  }
  return s;
}

// The cell may be one of the elements.
// CHECK: // strips
__attribute__((noinline)) void inside(int n, double *a, double *b, double *out) {
  for (int i = 0; i < n; i++)
    *out += sqrt(a[i]) / (b[i] + 2);
}

// Rows of a triangle, a condition in the loop, one row's sum each.
// CHECK: // strips
__attribute__((noinline)) void rows(int n, int m, double a[restrict][m], double b[restrict][m], double *restrict out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i && j < m; j++)
      if (j != 3)
        out[i] += sqrt(a[i][j]) / (b[i][j] + 2);
}

#ifdef MAIN
#include <stdio.h>
#include <string.h>
static double a[140][200], b[140][200], r[400];

static void fill(int n, int m, double *x, double *y, int special) {
  for (int i = 0; i < n * m; i++) {
    x[i] = (i * 37 + 11) % 101 / 8.0;
    y[i] = (i * 53 + 5) % 97 / 16.0 - 2;
  }
  if (special && n * m > 9) {
    x[n * m / 2] = NAN;
    x[n * m / 3] = -0.0;
    y[n * m / 3] = -1;
    x[n * m / 3 + 1] = 0.0;
    y[n * m - 1] = -0.0;
    x[n * m - 2] = -INFINITY;
  }
}

static void show(const char *name, const void *p, int count) {
  unsigned long h = 1469598103934665603u;
  for (const unsigned char *c = p; count--; c++)
    h = (h ^ *c) * 1099511628211u;
  printf("%s %lx\n", name, h);
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 1}, {3, 63}, {2, 64}, {5, 65}, {7, 127}, {1, 130}, {100, 200}, {130, 190}};
  for (int special = 0; special < 2; special++)
    for (int s = 0; s < 9; s++) {
      int n = sizes[s][0], m = sizes[s][1];
      double x, y;
      float f;
      fill(n, m, &a[0][0], &b[0][0], special);
      x = 0.5;
      sum(n, m, (void *)a, (void *)b, &x);
      show("sum", &x, x == x ? 8 : 0);
      static const double from[] = {1e30, 0.0, -0.0, -1e30, INFINITY};
      for (int k = 0; k < 5; k++) {
        x = least(n, m, (void *)a, (void *)b, from[k]), show("least", &x, 8);
        x = most(n, m, (void *)a, (void *)b, from[k]), show("most", &x, x == x ? 8 : 0);
      }
      x = two(n, m, (void *)a, (void *)b, &f);
      show("two", &x, x == x ? 8 : 0), show("two", &f, f == f ? 4 : 0);
      x = residual(n, m, (void *)a, (void *)b), show("residual", &x, x == x ? 8 : 0);
      fill(n, m, &a[0][0], &b[0][0], 0);
      x = residual(n, m, (void *)a, (void *)b), show("residual", &x, 8), show("residual", b, 8 * n * m);
      fill(n, m, &a[0][0], &b[0][0], 0);
      x = prefix(n * m, &a[0][0], &b[0][0]), show("prefix", b, 8 * n * m), show("prefix", &x, 8);
      x = chained(n * m, &a[0][0]), show("chained", a, 8 * n * m), show("chained", &x, 8);
      fill(n, m, &a[0][0], &b[0][0], 0);
      x = 2, inside(n * m, &a[0][0], &b[0][0], &x), show("inside", &x, 8);
      inside(n * m, &a[0][0], &b[0][0], &b[0][m / 2]), show("inside", b, 8 * n * m);
      inside(n * m, &a[0][0], &b[0][0], &a[0][m]), show("inside", a, 8 * n * m);
      memset(r, 0, sizeof r);
      rows(n, m, (void *)a, (void *)b, r), show("rows", r, sizeof r);
    }
}
#endif
