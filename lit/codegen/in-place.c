// Arrays that are one, in calls that work in place: where an element is read by the instance alone that writes it, the new version runs, on one
// thread as well since LLVM's vectors do not. Where another instance or another statement reads it, or they are one but for an element, the
// original does.
// RUN: %plainclang -O1 -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fno-strict-aliasing -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 POLYTILE_VERBOSE=1 %t.new 2>%t.runs | cmp - %t.expected
// RUN: FileCheck %s < %t.runs
// RUN: env POLYTILE=parallel-min-us=0 %clang -O3 -march=native -fno-strict-aliasing -fopenmp %s -o %t.usual
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.usual 2>%t.runs | cmp - %t.expected
// RUN: FileCheck --check-prefix=ALONE %s < %t.runs
#include <stdio.h>
#include <stdlib.h>
enum { N = 300, EDGE = 40 };
typedef double Row[N];
#define KERNEL __attribute__((noinline)) void

// CHECK-DAG: residual: new version 2 {{.*}} original 2; arrays overlap: 2
// On one thread it depends on the processor: where the new version takes less than LLVM's loop without vectors.
// ALONE-DAG: residual: new version {{[01]}} {{.*}} original {{[34]}}
KERNEL residual(int n, void *pu, void *pv, void *pr) {
  double(*u)[n][n] = pu, (*v)[n][n] = pv, (*r)[n][n] = pr;
  double sides[N], corners[N];
  for (int h = 1; h < n - 1; h++)
    for (int i = 1; i < n - 1; i++) {
      for (int j = 0; j < n; j++) {
        sides[j] = u[h][i - 1][j] + u[h][i + 1][j] + u[h - 1][i][j] + u[h + 1][i][j];
        corners[j] = u[h - 1][i - 1][j] + u[h - 1][i + 1][j] + u[h + 1][i - 1][j] + u[h + 1][i + 1][j];
      }
      for (int j = 1; j < n - 1; j++)
        r[h][i][j] = v[h][i][j] - 0.2 * u[h][i][j] - 0.3 * (corners[j] + sides[j - 1] + sides[j + 1]) - 0.4 * (corners[j - 1] + corners[j + 1]);
    }
}
// CHECK-DAG: transposed: new version 2 {{.*}} original 1; arrays overlap: 1
KERNEL transposed(int n, Row *a, Row *b, Row *r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      r[i][j] = a[j][i] + b[i][j];
}
// CHECK-DAG: twice: new version 1 {{.*}} original 1; arrays overlap: 1
KERNEL twice(int n, Row *a, Row *r, Row *s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      r[i][j] = a[i][j] * 0.5;
      s[i][j] = a[i][j] + 1;
    }
}
// Many arrays, which the run-time compares.
// CHECK-DAG: many: new version 3 {{.*}} original 1; arrays overlap: 1
KERNEL many(int n, double *a, double *b, double *c, double *d, double *e, double *r, double *s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      r[i * n + j] = a[i * n + j] + b[i * n + j] * c[i * n + j];
      s[i * n + j] = d[i * n + j] - e[j * n + i];
    }
}
// Neither the elements nor the distances of rows are the same.
// CHECK-DAG: widened: new version 1 {{.*}} original 1; arrays overlap: 1
KERNEL widened(int n, const float *a, double *r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      r[i * n + j] = a[i * n + j] * 2.0;
}
// Elements are read in a later statement than they are written in, which are one by now.
// CHECK-DAG: added: new version 1 {{.*}} original 1; arrays overlap: 1
KERNEL added(int n, Row *a, Row *r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      r[i][j] = a[i][j] * 2;
      r[i][j] += a[i][j];
    }
}
// CHECK-DAG: replaced: new version 1 {{.*}} original 1; arrays overlap: 1
KERNEL replaced(int n, Row *a, Row *r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      r[i][j] = j;
      if (a[i][j] > 2)
        r[i][j] = 7;
    }
}

static Row *array(int seed) {
  Row *a = malloc((N + 1) * sizeof(Row));
  for (int k = 0; k < (N + 1) * N; k++)
    a[0][k] = (k * 7 + seed) % 19 * 0.25;
  return a;
}

int main(void) {
  enum { ARRAYS = 8 };
  Row *m[ARRAYS];
  for (int k = 0; k < ARRAYS; k++)
    m[k] = array(k);
  residual(EDGE, m[0], m[1], m[1]);
  residual(EDGE, m[0], m[2], m[1]);
  residual(EDGE, m[1], m[2], m[1]);
  residual(EDGE, m[0], (Row *)(m[1][0] + 1), m[1]);
  transposed(N, m[0], m[1], m[1]);
  transposed(N, m[0], m[1], m[2]);
  transposed(N, m[2], m[1], m[2]);
  twice(N, m[0], m[3], m[4]);
  twice(N, m[0], m[0], m[4]);
  added(N, m[2], m[3]);
  added(N, m[3], m[3]);
  replaced(N, m[0], m[5]);
  replaced(N, m[6], m[6]);
  double *d[ARRAYS];
  for (int k = 0; k < ARRAYS; k++)
    d[k] = m[k][0];
  many(N, d[0], d[1], d[2], d[3], d[4], d[5], d[6]);
  many(N, d[5], d[1], d[2], d[6], d[4], d[5], d[6]);
  many(N, d[0], d[5], d[5], d[3], d[4], d[5], d[6]);
  many(N, d[0], d[1], d[2], d[3], d[6], d[5], d[6]);
  for (int k = 0; k < N * N; k++)
    ((float *)d[7])[k] = k % 11;
  widened(N, (float *)d[7], d[6]);
  double sum = 0;
  for (int k = 0; k < ARRAYS - 1; k++)
    for (int i = 0; i < N * N; i++)
      sum = sum * 0.75 + d[k][i];
  printf("%a\n", sum);
  for (int k = 0; k < N * N; k++)
    ((float *)d[7])[k] = k % 3;
  widened(N / 2, (float *)d[7], d[7]);
  printf("%a\n", d[7][0]);
}
