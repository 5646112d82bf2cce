// A row that was loaded and looked at in front of a nest, and then handed on from step to step: it is one of the rows that have to be apart from those
// which are written, wherever it lies.
// RUN: %clang -O3 -march=native -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// CHECK-DAG: rows-handed-on.c:[[@LINE+5]]:3: remark: loop nest transformed
__attribute__((noinline)) void first(double **a, double **c, long n, long m) {
  double *before = a[0];
  if (!before)
    return;
  for (long i = 1; i < n; i++) {
    double *row = a[i];
    for (long j = 0; j < m; j++)
      c[i][j] = before[j] * .5 + row[j];
    before = row;
  }
}

__attribute__((noinline)) void inside(double **a, double **c, long from, long n, long m) {
  double *before = a[from];
  if (!before)
    return;
  for (long i = from + 1; i < n; i++) {
    double *row = a[i];
    for (long j = 0; j < m; j++)
      c[i][j] = before[j] * .5 + row[j];
    before = row;
  }
}

int main(void) {
  long n = 40, m = 30;
  for (int place = 0; place < 4; place++)
    for (long from = 0; from < 4; from += 3) {
      double *d = calloc((n + 1) * m, sizeof *d), *e = calloc((n + 1) * m, sizeof *e);
      double **a = calloc(n, sizeof *a), **c = calloc(n, sizeof *c);
      for (long i = 0; i < n; i++)
        a[i] = d + i * m, c[i] = e + i * m;
      if (place)
        a[from] = place == 1 ? d + n * m : place == 2 ? c[from + 1] - 1 : c[9];
      for (long i = 0; i < n * m + m; i++)
        d[i] = i % 13, e[i] = i % 7;
      if (from)
        inside(a, c, from, n, m);
      else
        first(a, c, n, m);
      double s = 0;
      for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
          s = s * 1.0001 + c[i][j] + a[i][j];
      printf("%.17g\n", s);
    }
}
