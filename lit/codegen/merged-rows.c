// PHIs of pointers to rows: those that LLVM made of a row that was loaded before, the row before this one and a row that is another one's
// name. Where the program itself chooses between rows, nothing is taken for granted.
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=3 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__((noinline))

// CHECK-DAG: merged-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void cholesky(double **a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] += 3;
  }
}

// CHECK-DAG: merged-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void by_sums(double **a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double s = a[i][j];
      for (int k = 0; k < j; k++)
        s -= a[i][k] * a[j][k];
      a[i][j] = s / a[j][j];
    }
    double s = a[i][i];
    for (int k = 0; k < i; k++)
      s -= a[i][k] * a[i][k];
    a[i][i] = s + 3;
  }
}

// CHECK-DAG: merged-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void subsequence(double **a, int n) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      if (a[0][j] == a[i][0])
        a[i][j] = a[i - 1][j - 1] + 1;
      else
        a[i][j] = a[i - 1][j] > a[i][j - 1] ? a[i - 1][j] : a[i][j - 1];
}

// CHECK-DAG: merged-rows.c:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}}
OWN void before(double **a, int n) {
  double *above = a[0];
  for (int i = 1; i < n; i++) {
    double *row = a[i];
    for (int j = 0; j < n; j++)
      row[j] += above[j] * 0.5;
    above = row;
  }
}

// The first one is not the row before.
OWN void another(double **a, int n) {
  double *above = a[n / 2];
  for (int i = 1; i < n; i++) {
    double *row = a[i];
    for (int j = 0; j < n; j++)
      row[j] += above[j] * 0.5;
    above = row;
  }
}

// Row 0 in place of row 1, not of row 0.
OWN void chosen(double **a, int n) {
  for (int i = 1; i < n; i++) {
    double *row = a[0];
    if (i != 1)
      row = a[i];
    for (int j = 0; j < n; j++)
      row[j] += j * 0.5;
  }
}

// Two steps behind.
OWN void two_behind(double **a, int n) {
  double *above = a[0], *far = a[0];
  for (int i = 1; i < n; i++) {
    double *row = a[i];
    for (int j = 0; j < n; j++)
      row[j] += far[j] * 0.5 - above[j];
    far = above;
    above = row;
  }
}

typedef void nest(double **, int);
static nest *const nests[] = {cholesky, by_sums, subsequence, before, another, chosen, two_behind};

static void run(double **a, int n, const char *what) {
  for (unsigned f = 0; f < sizeof nests / sizeof *nests; f++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = (i * 7 + j * 3) % 11 - 4.5;
    nests[f](a, n);
    unsigned long h = f;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        unsigned long bits;
        memcpy(&bits, &a[i][j], sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15 + (h >> 29);
      }
    printf("%s %u %d %lx\n", what, f, n, h);
  }
}

int main(void) {
  const int sizes[] = {1, 2, 3, 7, 31, 101};
  for (int s = 0; s < 6; s++) {
    const int n = sizes[s];
    double **a = malloc(n * sizeof *a), *block = malloc(n * (n + 3) * sizeof *block);
    for (int i = 0; i < n; i++)
      a[i] = block + i * (n + 3);
    run(a, n, "in line");
    for (int i = 0; i < n; i++)
      a[i] = block + (n - 1 - i) * n;
    run(a, n, "reversed");
    for (int i = 0; i < n; i++)
      a[i] = block + (i * 5 + 1) % n * n;
    run(a, n, "shuffled");
    a[0] = a[n / 2];
    run(a, n, "one twice");
    free(block), free(a);
  }
}
