// The place of a minimum looks at what is the least so far in each step: points run in lanes, with both in registers, and compute each
// distance once. Of equal distances the first counts, and NaN is never less.
// RUN: env POLYTILE='dump=ast;min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__((noinline))

struct point {
  double x, y;
};

// CHECK: lanes
// CHECK-NEXT: for
OWN void nearest(int n, int k, const struct point *p, const struct point *c, int *label) {
  for (int i = 0; i < n; i++) {
    int at = 0;
    double best = 1e300;
    for (int j = 0; j < k; j++) {
      double dx = p[i].x - c[j].x, dy = p[i].y - c[j].y, d = dx * dx + dy * dy;
      if (d < best)
        best = d, at = j;
    }
    label[i] = at;
  }
}

// Rows of memory are read one after the other, as the program does.
// CHECK-NOT: lanes
// CHECK: S0(
OWN void rows(int n, int m, double **a, int *at, double *value) {
  for (int i = 0; i < n; i++) {
    int place = 0;
    double best = a[i][0];
    for (int j = 1; j < m; j++)
      if (a[i][j] > best)
        best = a[i][j], place = j;
    at[i] = place, value[i] = best;
  }
}

// CHECK: lanes
// CHECK-NEXT: for
OWN void columns(long n, long m, const double *a, long *at, double *value) {
  for (long j = 0; j < n; j++) {
    long place = 0;
    double best = a[j];
    for (long i = 1; i < m; i++)
      if (a[i * n + j] < best)
        best = a[i * n + j], place = i;
    at[j] = place, value[j] = best;
  }
}

static unsigned long sum;

static void add(const void *from, size_t bytes) {
  for (const unsigned char *b = from; bytes-- > 0; b++)
    sum = (sum ^ *b) * 1099511628211UL;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 7, 8, 17, 33, 130};
  for (int s = 0; s < 9; s++)
    for (int t = 1; t < 9; t++) {
      int n = sizes[s], m = sizes[t];
      double *a = malloc((n * m + 2) * 2 * sizeof *a), *value = calloc(n + 1, sizeof *value);
      double **row = malloc((n + 1) * sizeof *row);
      int *label = calloc(n + 1, sizeof *label);
      long *at = calloc(n + 1, sizeof *at);
      for (int i = 0; i < 2 * n * m + 4; i++)
        a[i] = i % 29 == 3 ? NAN : i * 7919 % 31 / 8.;
      for (int i = 0; i < n; i++)
        row[i] = a + i * m;
      nearest(n, m, (struct point *)a, (struct point *)(a + 2), label);
      add(label, n * sizeof *label);
      rows(n, m, row, label, value);
      add(label, n * sizeof *label);
      add(value, n * sizeof *value);
      columns(n, m, a, at, value);
      add(at, n * sizeof *at);
      add(value, n * sizeof *value);
      printf("%d %d %lx\n", n, m, sum);
      free(a), free(value), free(row), free(label), free(at);
    }
}
