// Rows of tables of tables that an iteration hands on to the next one, and rows of every remainder that together are all rows: the outermost loop
// runs on threads.
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=3 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// RAN-COUNT-3: new version 3 ({{.*}}), original 0
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t 2>&1 >/dev/null | FileCheck %s --check-prefix=RAN
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__((noinline))
enum { MOST = 64 };

// The compiler keeps a[i +- 1][j + 1], which is a[i +- 1][j] in the next iteration of j: one in a sum of the loop's start and a constant, the other one
// in the same sum with another constant.
// CHECK-DAG: tables-kept-rows.c:[[@LINE+3]]:3: remark: loop nest transformed: 3 statements, 1 parallel loop, {{.*}}
OWN void mixed(int n, int m, int l, double ***a, double ***b) {
  double own[MOST], next[MOST];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      for (int k = 0; k < l; k++) {
        own[k] = a[i + 1][j][k] + a[i - 1][j][k];
        next[k] = .5 * a[i + 1][j + 1][k] + a[i - 1][j + 1][k];
      }
      for (int k = 1; k < l - 1; k++)
        b[i][j][k] = own[k - 1] + own[k + 1] - .25 * next[k];
    }
}

// A row that is copied whole is one of those that are kept.
// CHECK-DAG: tables-kept-rows.c:[[@LINE+3]]:3: remark: loop nest transformed: {{[34]}} statements, 1 parallel loop{{[,;]}} {{.*}}
OWN void copied(int n, int m, int l, double ***a, double ***b) {
  double own[MOST], around[MOST], corners[MOST];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      for (int k = 0; k < l; k++) {
        own[k] = a[i][j][k];
        around[k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k];
        corners[k] = a[i - 1][j - 1][k] + a[i - 1][j + 1][k] + a[i + 1][j - 1][k] + a[i + 1][j + 1][k];
      }
      for (int k = 1; k < l - 1; k++)
        b[i][j][k] = .5 * own[k] + .25 * (own[k - 1] + own[k + 1] + around[k]) + .125 * (around[k - 1] + corners[k + 1]);
    }
}

// Of a grid that starts one or two points ahead, also in the rows of an iteration.
// CHECK-DAG: tables-kept-rows.c:[[@LINE+4]]:3: remark: loop nest transformed: 3 statements, 1 parallel loop{{[,;]}} {{.*}}
OWN void coarser(int n, int m, int l, double ***a, double ***b, int few) {
  double left[2 * MOST], right[2 * MOST];
  int ahead = few == 3 ? 2 : 1, aside = few == 5 ? 2 : 1, across = few == 1 ? 2 : 1;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double **low = a[2 * i - ahead], **middle = a[2 * i - ahead + 1], **high = a[2 * i - ahead + 2];
      int c = 2 * j - aside;
      for (int k = 1; k < l; k++) {
        int d = 2 * k - across;
        left[d] = low[c][d] + low[c + 2][d] + middle[c + 1][d];
        right[d] = high[c][d] + high[c + 2][d] + middle[c][d] + middle[c + 2][d];
      }
      for (int k = 1; k < l - 1; k++) {
        int d = 2 * k - across;
        b[i][j][k] = .5 * (left[d] - right[d + 2]) + low[c + 1][d + 1] * high[c + 1][d + 1];
      }
    }
}

static double ***box(int n, int m, int l) {
  double ***a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i] = malloc(m * sizeof *a[i]);
    for (int j = 0; j < m; j++) {
      a[i][j] = malloc(l * sizeof *a[i][j]);
      for (int k = 0; k < l; k++)
        a[i][j][k] = (i * 5 + j * 3 + k * 7) % 13 * .25;
    }
  }
  return a;
}

static void print(int n, int m, int l, double ***a) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        sum = sum * .75 + a[i][j][k];
  printf("%a\n", sum);
}

int main(void) {
  static const volatile int sizes[][3] = {{5, 6, 9}, {4, 33, 17}, {19, 23, 40}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2];
    double ***a = box(2 * n, 2 * m, 2 * l), ***b = box(n, m, l);
    mixed(n, m, l, a, b);
    print(n, m, l, b);
    copied(n, m, l, a, b);
    print(n, m, l, b);
    coarser(n, m, l, a, b, 2 * s + 1);
    print(n, m, l, b);
  }
}
