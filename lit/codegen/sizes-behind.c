// Sizes that are computed between nests are computed in front of the first one, and what each way computed alike is computed behind it: a later
// nest sees how many rows a copy of all elements has.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void product(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

// The exponential of a matrix: a series, then squares.
static void exponential(int n, const double *a, double *e) {
  double *t = malloc(sizeof(double) * n * n), *p = malloc(sizeof(double) * n * n), *s = malloc(sizeof(double) * n * n);
  double norm = 0;
  for (int i = 0; i < n; i++) {
    double r = 0;
    for (int j = 0; j < n; j++)
      r += a[i * n + j] > 0 ? a[i * n + j] : -a[i * n + j];
    if (r > norm)
      norm = r;
  }
  int squares = 0;
  while (norm > .5) {
    norm /= 2;
    squares++;
  }
  double f = 1.0 / (1 << squares);
  for (int i = 0; i < n * n; i++)
    s[i] = a[i] * f;
  memset(e, 0, sizeof(double) * n * n);
  memset(p, 0, sizeof(double) * n * n);
  for (int i = 0; i < n; i++) {
    e[i * n + i] = 1;
    p[i * n + i] = 1;
  }
  for (int m = 1; m < 12; m++) {
    product(n, p, s, t);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        t[i * n + j] /= m;
        e[i * n + j] += t[i * n + j];
      }
    double *x = p;
    p = t;
    t = x;
  }
  // CHECK: sizes-behind.c:[[@LINE+1]]:3: remark: loop nest transformed: {{.*}} register tile
  while (squares--) {
    product(n, e, e, t);
    memcpy(e, t, sizeof(double) * n * n);
  }
  free(t);
  free(p);
  free(s);
}

int main(int c, char **v) {
  int n = c > 1 ? atoi(v[1]) : 67;
  double *a = malloc(8 * n * n), *e = malloc(8 * n * n), s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = ((i * 7 + j * 13) % 31 - 15) / (31.0 * n) * 8;
  exponential(n, a, e);
  for (int i = 0; i < n * n; i++)
    s += e[i] * (i % 11);
  printf("%.17g\n", s);
}
