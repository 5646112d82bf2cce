// Minima and maxima of numbers over several loops: rows find their own on threads, and these are taken up in order, where only what is
// strictly less, or greater, is taken. The bits are those of the loops as they stand, with NaN and zeros of both signs.
// RUN: env "POLYTILE=dump=ast;verify=on" %clang -O2 -march=x86-64-v3 -fopenmp -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=scop;stop-after=scop" %clang -O2 -DNOT -fopenmp -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;fusion=none;verify=on" %clang -O1 -fopenmp -DMAIN %s -o %t.none -lm
// RUN: env OMP_NUM_THREADS=2 %t.none | cmp - %t.expected
#include <math.h>
#define NI __attribute__((noinline))

#ifndef NOT
// CHECK: // parallel
// CHECK: // strips, first {{.*}} of S1 in 4 lanes
// CHECK: for (c2
// CHECK-NEXT: S5(c2)
NI double least(int n, int m, double a[][m], double b[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = a[i][j] / (b[i][j] * b[i][j] + 2);
      if (v < s)
        s = v;
    }
  return s;
}

// Into memory, three loops, and rows of several lengths.
// CHECK: // parallel
// CHECK: // strips, first {{.*}} in 8 lanes
NI void largest(int n, int m, float a[restrict][m], float *restrict out) {
  float s = *out;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = 0; k < m; k++) {
        float v = fabsf(a[i][k] - a[j][k]) / (a[i][k] * a[i][k] + 1);
        s = v > s ? v : s;
      }
  *out = s;
}

// CHECK: // parallel
NI int column(int n, int m, double a[][m], int b[][m]) {
  int s = 1 << 30;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int v = (int)(a[i][j] / 3) + b[i][j];
      s = v < s ? v : s;
    }
  return s;
}

// Beside a field that is computed in the same nest from others.
// CHECK: // parallel
NI double field(int n, int m, double a[restrict][m], double b[restrict][m], double c[restrict][m]) {
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      c[i][j] = (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]) / (b[i][j] + 5);
      double v = fabs(a[i][j] / (b[i][j] + 5));
      if (s < v)
        s = v;
    }
  return s;
}

#endif
// NOT-NOT: _x[
// Equal elements are taken: the last zero stays.
NI double ties(int n, int m, double a[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s = a[i][j] / 2 <= s ? a[i][j] / 2 : s;
  return s;
}

// A number follows on NaN.
NI double resets(int n, int m, double a[][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s = s < a[i][j] / 2 ? s : a[i][j] / 2;
  return s;
}

// Where it is.
NI int place(int n, int m, double a[][m], double *least) {
  double s = 1e30;
  int at = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] / 2 < s)
        s = a[i][j] / 2, at = i * m + j;
  *least = s;
  return at;
}

// Others in the nest see it grow.
NI double used(int n, int m, double a[restrict][m], double b[restrict][m], double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      s = a[i][j] / 2 < s ? a[i][j] / 2 : s;
      b[i][j] = s;
    }
  return s;
}

NI double one(int n, double a[], double s) {
  for (int i = 0; i < n; i++)
    s = a[i] / 2 < s ? a[i] / 2 : s;
  return s;
}

#ifdef MAIN
#include <stdio.h>
static double a[70][90], b[70][90], c[70][90];
static float f[70][90];
static int k[70][90];

static void fill(int special, int n, int m) {
  double *x = &a[0][0], *y = &b[0][0];
  for (int i = 0; i < 6300; i++) {
    x[i] = special == 2 ? (i % 2 ? 0.0 : -0.0) : (i * 37 + 11) % 101 / 8.0 - 3;
    y[i] = (i * 53 + 5) % 97 / 16.0;
    (&f[0][0])[i] = (float)((i * 29 + 3) % 89 / 8.0 - 4);
    (&k[0][0])[i] = (i * 31) % 77 - 30;
    (&c[0][0])[i] = 0;
  }
  if (special == 1) {
    x[0] = NAN;
    x[n * m / 2] = NAN;
    x[n * m / 3] = -0.0;
    x[n * m / 3 + 2] = -INFINITY;
    (&f[0][0])[n * m / 4] = NAN;
    (&f[0][0])[n * m / 3] = INFINITY;
  }
}

static void show(const char *name, const void *p, int count) {
  unsigned long h = 1469598103934665603u;
  for (const unsigned char *q = p; count--; q++)
    h = (h ^ *q) * 1099511628211u;
  printf("%s %lx\n", name, h);
}

int main(void) {
  static const int sizes[][2] = {{0, 5}, {1, 1}, {2, 1}, {3, 64}, {5, 65}, {17, 3}, {70, 90}};
  static const double from[] = {1e30, 0.0, -0.0, -1e30, INFINITY, NAN};
  for (int special = 0; special < 3; special++)
    for (int s = 0; s < 7; s++)
      for (int z = 0; z < 6; z++) {
        int n = sizes[s][0], m = sizes[s][1];
        fill(special, n, m);
        double x = least(n, m, (void *)a, (void *)b, from[z]);
        show("least", &x, 8);
        float y = (float)from[z];
        largest(n, m, (void *)f, &y), show("largest", &y, 4);
        x = ties(n, m, (void *)a, from[z]), show("ties", &x, 8);
        x = resets(n, m, (void *)a, from[z]), show("resets", &x, x == x ? 8 : 0);
        x = one(n * m, &a[0][0], from[z]), show("one", &x, 8);
        int at = place(n, m, (void *)a, &x);
        show("place", &at, 4), show("place", &x, 8);
        x = used(n, m, (void *)a, (void *)c, from[z]), show("used", &x, 8), show("used", c, sizeof c);
        fill(0, n, m);
        at = column(n, m, (void *)a, (void *)k), show("column", &at, 4);
        x = field(n, m, (void *)a, (void *)b, (void *)c), show("field", &x, 8), show("field", c, sizeof c);
      }
}
#endif
