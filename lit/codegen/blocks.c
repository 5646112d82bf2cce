// Memory that each iteration allocates: the new version has one block in its place. Where there is none, the original finds out; a nest behind an allocation, and
// one of which a part stays, have the pointer of the iteration.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile -Rpass-missed=polytile %s -o %t.new 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline))

// Lines have lanes, and no last line of their own.
// CHECK-LABEL: {{^}}// parallel
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
// CHECK: S5(
// CHECK-NOT: S6(
// REMARK: blocks.c:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL void lines(int n, int m, double u[n][m]) {
  for (int i = 0; i < n; i++) {
    double *c = malloc(m * sizeof *c), *d = malloc(m * sizeof *d);
    c[0] = .2, d[0] = u[i][0];
    for (int j = 1; j < m; j++) {
      double q = 1 / (2.5 - .4 * c[j - 1]);
      c[j] = .4 * q;
      d[j] = (u[i][j] + .4 * d[j - 1]) * q;
    }
    u[i][m - 1] = d[m - 1];
    for (int j = m - 2; j >= 0; j--)
      u[i][j] = d[j] - c[j] * u[i][j + 1];
    free(c);
    free(d);
  }
}

// A block of zeros, half of which is written.
// REMARK: blocks.c:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL void zeros(int n, int m, double u[n][m]) {
  for (int i = 0; i < n; i++) {
    double *t = calloc(m, sizeof *t);
    for (int j = 0; j < m / 2; j++)
      t[2 * j] = u[i][j];
    for (int j = 0; j < m; j++)
      u[i][j] = .5 * u[i][j] + t[m - 1 - j];
    free(t);
  }
}

// A way out where there is no memory.
// REMARK: blocks.c:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL int checked(long n, long m, double *u) {
  for (long i = 0; i < n; i++) {
    double *a = malloc(m * sizeof *a), *b = malloc(m * sizeof *b);
    if (!a || !b) {
      free(a);
      free(b);
      return 1;
    }
    for (long j = 0; j < m; j++)
      a[j] = u[i * m + j], b[j] = a[j] * a[j];
    for (long j = 0; j < m; j++)
      u[i * m + j] = a[m - 1 - j] + b[j];
    free(b);
    free(a);
  }
  return 0;
}

// Fewer elements each time, on the stack.
// REMARK: blocks.c:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL void fewer(int n, double u[n][n]) {
  for (int i = 0; i < n; i++) {
    double t[n - i];
    for (int j = i; j < n; j++)
      t[j - i] = u[i][j] * .5;
    for (int j = i; j < n; j++)
      u[i][j] -= t[n - 1 - j];
  }
}

// The allocation stays with what is printed.
// REMARK: blocks.c:[[@LINE+2]]:3: remark: loop nest not transformed: call of 'malloc'
KERNEL void printed(int n, int m, double u[n][m]) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++)
      t[j] = u[i][j] * 2;
    for (int j = 0; j < m; j++)
      u[i][j] = t[m - 1 - j];
    if (i % 5 == 0)
      printf("%g\n", u[i][0]);
    free(t);
  }
}

// The innermost loops are nests, behind the allocation: how often the last one runs is data.
KERNEL void parts(int n, int m, double u[n][m], const int *last) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++)
      t[j] = u[i][j] * 2;
    for (int j = 0; j < m; j++)
      u[i][j] = t[m - 1 - j];
    for (int j = 1; j < last[i]; j++)
      u[i][j] += t[j] * u[i][j - 1];
    free(t);
  }
}

// Handed on to the next iteration: not of one.
KERNEL double *handed(int n, int m, double u[n][m]) {
  double *before = calloc(m, sizeof *before);
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++)
      t[j] = u[i][j] + .5 * before[j];
    memcpy(u[i], t, m * sizeof *t);
    free(before);
    before = t;
  }
  return before;
}

static void show(const char *name, long count, const double *u) {
  double sum = 0;
  for (long k = 0; k < count; k++)
    sum = sum * .99 + u[k];
  printf("%s %.17g\n", name, sum);
}

int main(void) {
  for (int size = 1; size < 80; size += 13) {
    int n = size, m = size + 9, last[80];
    double *u = malloc(sizeof(double) * n * m);
    for (int k = 0; k < n * m; k++)
      u[k] = k % 17 + .25;
    for (int i = 0; i < n; i++)
      last[i] = (i * 7) % m;
    void *rows = u;
    lines(n, m, rows);
    show("lines", n * m, u);
    zeros(n, m, rows);
    show("zeros", n * m, u);
    int failed = checked(n, m, u) + checked(n, 1L << 58, u);
    printf("%d\n", failed);
    show("checked", n * m, u);
    fewer(n, rows);
    show("fewer", n * m, u);
    printed(n, m, rows);
    parts(n, m, rows, last);
    show("parts", n * m, u);
    double *kept = handed(n, m, rows);
    show("handed", m, kept);
    free(kept);
    free(u);
  }
}
