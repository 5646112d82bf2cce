// Steps that sweep twice over a matrix: blocks of steps and columns that wait for their neighbours, the last sweep of a step
// and the first of the next as one, sums and columns' factors in registers. Run-time and constant row lengths,
// run-time and constant sizes, sizes that leave columns over.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=orthogonal" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=constant" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -lm -o %t.panels
// RUN: env OMP_NUM_THREADS=3 %t.panels | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.panels | cmp - %t.expected
#include <math.h>

// CHECK: // parallel Pipelined
// CHECK-NEXT: for ([[K:c[0-9]+]] = {{.*}} [[K]] += 32)
// CHECK-NEXT: // stage
// CHECK-NEXT: for ([[J:c[0-9]+]] = {{.*}} [[J]] += 32)
// CHECK-NEXT: for ([[STEP:c[0-9]+]] = [[K]];
// CHECK: // 4 x 8 lanes
// CHECK: // 4 x 8 lanes
// CHECK-NEXT: for (
// CHECK-NEXT: for (
// CHECK-NEXT: {
// CHECK-NEXT: S{{[0-9]+}}(([[STEP]] - 1),
// CHECK-NEXT: S{{[0-9]+}}([[STEP]],
// CHECK-NEXT: }
#define ORTHOGONAL(name, m, n, width)                                                                                       \
  void name(int rows, int columns, double (*restrict a)[width], double (*restrict r)[width], double (*restrict q)[width]) { \
    for (int k = 0; k < n; k++) {                                                                                           \
      double norm = 0;                                                                                                      \
      for (int i = 0; i < m; i++)                                                                                           \
        norm += a[i][k] * a[i][k];                                                                                          \
      r[k][k] = sqrt(norm);                                                                                                 \
      for (int i = 0; i < m; i++)                                                                                           \
        q[i][k] = a[i][k] / r[k][k];                                                                                        \
      for (int j = k + 1; j < n; j++) {                                                                                     \
        r[k][j] = 0;                                                                                                        \
        for (int i = 0; i < m; i++)                                                                                         \
          r[k][j] += q[i][k] * a[i][j];                                                                                     \
        for (int i = 0; i < m; i++)                                                                                         \
          a[i][j] = a[i][j] - q[i][k] * r[k][j];                                                                            \
      }                                                                                                                     \
    }                                                                                                                       \
  }

ORTHOGONAL(orthogonal, rows, columns, 1200)
ORTHOGONAL(variable, rows, columns, columns)
ORTHOGONAL(constant, 200, 1190, 1200)

#ifdef MAIN
#include <stdio.h>
#include <string.h>
static double a[200][1200], r[1200][1200], q[200][1200];

static void print(int m, int n, int width) {
  double sum = 0, *x = &a[0][0], *y = &r[0][0], *z = &q[0][0];
  for (int i = 0; i < 200 * width; i++)
    sum = sum * 0.75 + x[i] + 3 * y[i] - z[i];
  printf("%d %d %d: %a\n", m, n, width, sum);
}

static void fill(void) {
  memset(r, 0, sizeof r);
  memset(q, 0, sizeof q);
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 1200; j++)
      a[i][j] = (i * 7 + j * 3 + i * j) % 101 / 8.0 + (i == j ? 50 : 1);
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8, 31, 32, 33, 40, 64, 71, 97, 119};
  for (int s = 0; s < 12; s++)
    for (int t = 0; t < 12; t++) {
      int m = sizes[s], n = sizes[t];
      fill();
      orthogonal(m, n, a, r, q);
      print(m, n, 1200);
      fill();
      variable(m, n, (double (*)[n])a, (double (*)[n])r, (double (*)[n])q);
      print(m, n, n);
    }
  fill();
  constant(200, 1190, a, r, q);
  print(200, 1190, 1200);
  return 0;
}
#endif
