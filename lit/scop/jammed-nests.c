// Rows that were jammed by hand around an inner loop: sums that begin in front of it and are stored behind it, forwards and backwards in the
// text. In the model they are the plain nest again. An order that may not change is kept, and so is what is no multiple of the rows.
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=forwards" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=backwards" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=crossed" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=uneven" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=UNEVEN
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.rolled
// RUN: env OMP_NUM_THREADS=3 %t.rolled | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.rolled | cmp - %t.expected
//
// CHECK: stmt S0
// CHECK: write { S0[i0, i1] -> {{.*}}[i0, i1] }
// CHECK: stmt S1
// CHECK: write { S1[i0, i1, i2] -> {{.*}}[i0, i1] }
// CHECK-NOT: stmt
#define N 96
void forwards(int m, int n, int l, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      c[3 * i][j] = 0.5;
      c[3 * i + 1][j] = 0.5;
      c[3 * i + 2][j] = 0.5;
      for (int k = 0; k < l; k++) {
        c[3 * i][j] += a[3 * i][k] * b[j][k];
        c[3 * i + 1][j] += a[3 * i + 1][k] * b[j][k];
        c[3 * i + 2][j] += a[3 * i + 2][k] * b[j][k];
      }
    }
}

void backwards(int m, int n, int l, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double r = 0.25, s = 0.25, t = 0.25;
      for (int k = 0; k < l; k++) {
        t += a[3 * i + 2][k] * b[j][k];
        s += a[3 * i + 1][k] * b[j][k];
        r += a[3 * i][k] * b[j][k];
      }
      c[3 * i][j] = r;
      c[3 * i + 1][j] = s;
      c[3 * i + 2][j] = t;
    }
}

// A row begins with what the one above had in front of its sum.
// CROSSED: stmt S3
void crossed(int m, int l, double *restrict y, double (*restrict a)[N], double *restrict x) {
  for (int i = 0; i < m; i++) {
    y[2 * i + 1] = y[2 * i] * 0.5;
    y[2 * i + 2] = y[2 * i + 1] * 0.5;
    for (int k = 0; k < l; k++) {
      y[2 * i + 1] += a[2 * i][k] * x[k];
      y[2 * i + 2] += a[2 * i + 1][k] * x[k];
    }
  }
}

// Only one of two rows has a sum.
// UNEVEN: stmt S2
void uneven(int m, int l, double *restrict y, double (*restrict a)[N], double *restrict x) {
  for (int i = 0; i < m; i++) {
    y[2 * i] = 1;
    y[2 * i + 1] = 1;
    for (int k = 0; k < l; k++)
      y[2 * i + 1] += a[2 * i + 1][k] * x[k];
  }
}

// Eight rows at a time of as many as there are, and the rest; rows that may be the same.
void blocked(int m, int n, int l, double *c, double *a, double *b) {
  int i = 0;
  for (; i + 8 <= m; i += 8)
    for (int j = 0; j < n; j++) {
      double r[8];
      for (int u = 0; u < 8; u++)
        r[u] = b[j];
      for (int k = 0; k < l; k++)
        for (int u = 0; u < 8; u++)
          r[u] += a[(i + u) * l + k] * b[j * l + k];
      for (int u = 0; u < 8; u++)
        c[(i + u) * n + j] = r[u];
    }
  for (; i < m; i++)
    for (int j = 0; j < n; j++) {
      double r = b[j];
      for (int k = 0; k < l; k++)
        r += a[i * l + k] * b[j * l + k];
      c[i * n + j] = r;
    }
}

#ifdef MAIN
#include "Inputs/matrices.h"
#include <stdio.h>
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++) {
    s = s * 0.5 + y[i];
    for (int j = 0; j < N; j++)
      s = s * 0.75 + c[i][j] + a[i][j];
  }
  printf("%a\n", s);
}
int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 7, 8, 17, 31, 32};
  for (int s = 0; s < 9; s++) {
    int n = sizes[s];
    fill();
    forwards(n, 2 * n, 3 * n, c, a, b);
    show();
    backwards(n, 3 * n, n + 1, c, a, b);
    show();
    crossed(n, 2 * n, y, a, x);
    show();
    uneven(n, 2 * n, y, a, x);
    show();
    blocked(3 * n, n, 2 * n, &c[0][0], &a[0][0], &b[0][0]);
    show();
    // The rows that are read are those that are written.
    blocked(n, n, n, &a[0][0], &a[1][3], &b[0][0]);
    show();
  }
}
#endif
