// Elimination over rows behind pointers, with the pivot's row loaded in front of the nest: rows are compared with that one but where the nest
// leaves it out. Rows that overlap run the original.
// RUN: %clang -O3 -march=native -fopenmp -g1 %s -o %t.new
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.forced 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// The new versions run where rows are apart.
// RAN: eliminate: new version {{[1-9]}}
// RAN: exchange: new version {{[1-9]}}
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t.forced apart 2>&1 >/dev/null | FileCheck %s --check-prefix=RAN --implicit-check-not="not apart"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__((noinline))
#define MOST 150

// CHECK-DAG: pivot-row.c:[[@LINE+3]]:3: remark: loop nest transformed
OWN void eliminate(double **a, int n, int c) {
  const double *p = a[c];
  for (int r = 0; r < n; r++)
    if (r != c) {
      double f = a[r][c] / p[c];
      for (int j = 0; j <= n; j++)
        a[r][j] -= f * p[j];
    }
}

// CHECK-DAG: pivot-row.c:[[@LINE+9]]:5: remark: loop nest transformed
OWN void exchange(double **a, int n) {
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[r][c]) > fabs(a[best][c]))
        best = r;
    double *row = a[c];
    a[c] = a[best], a[best] = row;
    for (int r = 0; r < n; r++)
      if (r != c) {
        double f = a[r][c] / a[c][c];
        for (int j = c; j <= n; j++)
          a[r][j] -= f * a[c][j];
      }
  }
}

// Two rows out of many that are not to be there at all.
OWN void without(double **a, int n, int c, int d) {
  const double *p = a[c];
  for (int r = 0; r < n; r++)
    if (r != c && r != d)
      for (int j = 0; j <= n; j++)
        a[r][j] -= .5 * p[j];
}

static double memory[MOST * (MOST + 1) + MOST];

// Rows that `alias`: 1: two are one, 2: two overlap, 3: the last one is the pivot's.
static double **rows(int n, int alias) {
  static double *a[MOST];
  for (int i = 0; i < MOST * (MOST + 1) + MOST; i++)
    memory[i] = i * 7919L % 1013 / 101.;
  for (int i = 0; i < n; i++) {
    a[i] = memory + (i * 7 + 3) % MOST * (n + 1);
    a[i][i] += 50;
  }
  if (alias == 1 && n > 3)
    a[1] = a[2];
  if (alias == 2 && n > 3)
    a[0] = a[3] + 1;
  if (alias == 3 && n > 1)
    a[n - 1] = a[n / 2];
  return a;
}

static void print(const char *name, int n, int alias) {
  unsigned long sum = 0;
  for (int i = 0; i < MOST * (MOST + 1) + MOST; i++) {
    unsigned long bits;
    memcpy(&bits, memory + i, sizeof bits);
    sum = (sum ^ bits) * 1099511628211UL;
  }
  printf("%s %d %d %lx\n", name, n, alias, sum);
}

int main(int arguments, char **argument) {
  static const int sizes[] = {0, 1, 2, 3, 7, 8, 33, 130};
  const int apart = arguments > 1;
  for (int s = apart ? 6 : 0; s < 8; s++)
    for (int alias = 0; alias < (apart ? 1 : 4); alias++) {
      int n = sizes[s];
      double **a = rows(n, alias);
      for (int c = 0; c < n; c += 1 + n / 5)
        eliminate(a, n, c);
      if (n)
        eliminate(a, n, n - 1);
      print("eliminate", n, alias);
      exchange(rows(n, alias), n);
      print("exchange", n, alias);
      if (n) {
        without(rows(n, alias), n, n / 2, n / 3);
        print("without", n, alias);
        without(rows(n, alias), n, n / 2, n / 2);
        print("without", n, alias);
        without(rows(n, alias), n, n - 1, 0);
        print("without", n, alias);
      }
    }
}
