// Tridiagonal systems, one for each line of a grid, with coefficients in arrays of one line: each line gets copies of them, which stay in panels of
// lanes, and the last one leaves its coefficients where the program finds them. Few lines, and arrays that overlap, run the original.
// RUN: env POLYTILE='dump=ast;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.new 2>&1 | FileCheck %s
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__((noinline))

// CHECK: lanes, A3 contracted, A4 contracted
OWN void rows(int n, int m, double *u, double *c, double *d, double a) {
  for (int i = 0; i < n; i++) {
    double *x = u + (long)i * m;
    c[0] = a, d[0] = x[0];
    for (int k = 1; k < m; k++) {
      double q = 1 / (2 - a * c[k - 1]);
      c[k] = a * q;
      d[k] = (x[k] + a * d[k - 1]) * q;
    }
    x[m - 1] = d[m - 1];
    for (int k = m - 2; k >= 0; k--)
      x[k] = d[k] + c[k] * x[k + 1];
  }
}

// CHECK: private A3 private A4
// CHECK-NEXT: for (c0 = 0; c0 <= (p0 - 2); c0 += 1)
// CHECK-NEXT: lanes, A3 contracted, A4 contracted
OWN void planes(int n, double *u, double *c, double *d, double a) {
#define U(i, j, k) u[((i)*n + (j)) * n + (k)]
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      c[0] = a, d[0] = U(0, j, k);
      for (int i = 1; i < n; i++) {
        double q = 1 / (2 - a * c[i - 1]);
        c[i] = a * q;
        d[i] = (U(i, j, k) + a * d[i - 1]) * q;
      }
      U(n - 1, j, k) = d[n - 1];
      for (int i = n - 2; i >= 0; i--)
        U(i, j, k) = d[i] + c[i] * U(i + 1, j, k);
    }
}

// Lines that take up what the one before has left.
// CHECK-NOT: lanes
OWN void carried(int n, int m, double *u, double *c) {
  for (int i = 1; i < n; i++) {
    c[0] = u[i * m];
    for (int k = 1; k < m; k++)
      c[k] = c[k - 1] / 3 + u[(i - 1) * m + k];
    for (int k = 0; k < m; k++)
      u[i * m + k] += c[k];
  }
}

static unsigned long sum;

static void add(const double *from, long count) {
  const unsigned long *bits = (const unsigned long *)from;
  for (long i = 0; i < count; i++)
    sum = (sum ^ bits[i]) * 1099511628211UL;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 7, 31, 32, 33, 34, 50, 70};
  for (int s = 0; s < 11; s++)
    for (int t = 0; t < 11; t++)
      for (int overlap = 0; overlap < 3; overlap++) {
        int n = sizes[s], m = sizes[t];
        long cells = (long)n * n * n + (long)n * m + 4 * (n + m) + 8;
        double *u = malloc(cells * sizeof *u);
        double *c = u + cells - 2 * (n + m) - 4, *d = overlap ? c + (overlap - 1) : c + n + m + 1;
        for (long i = 0; i < cells; i++)
          u[i] = i * 7919 % 101 / 8.;
        if (m)
          rows(n, m, u, c, d, .3);
        if (m && overlap == 2)
          rows(n, m, u, u + m, d, .25);
        add(u, cells);
        if (n)
          planes(n, u, c, d, .3);
        add(u, cells);
        if (m)
          carried(n, m, u, c);
        add(u, cells);
        printf("%d %d %d %lx\n", n, m, overlap, sum);
        free(u);
      }
}
