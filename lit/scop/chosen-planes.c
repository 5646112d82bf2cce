// Two planes of one array that values choose are two arrays: that they are not one is asked at run time. A row that a value chooses is in the plane
// that a loop moves through.
// RUN: env POLYTILE=min-work=0 %clang -O3 -g1 -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -fopenmp %s -o %t.new
// RUN: %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.new 2> %t.ran | diff %t.expected -
// RUN: FileCheck --check-prefix=RAN %s < %t.ran
#include <stdio.h>

enum { n = 60, m = 70 };
static double u[2][n][m];

// CHECK-DAG: chosen-planes.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; u[][], u[][]
__attribute__((noinline)) void step(int now, int next) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      u[next][i][j] = 0.25 * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] + u[now][i][j + 1]);
}

// Elements of 'w' behind one pointer, with sizes.
// CHECK-DAG: chosen-planes.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; argument {{[0-9]+}} of sized[][], argument {{[0-9]+}} of sized[][]
__attribute__((noinline)) void sized(int rows, int columns, double w[3][rows][columns], int now, int next) {
  for (int i = 1; i < rows; i++)
    for (int j = 0; j < columns; j++)
      w[next][i][j] = w[now][i - 1][j] + 1;
}

// CHECK-DAG: chosen-planes.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; argument {{[0-9]+}} of rows[][]
__attribute__((noinline)) void rows(double a[n][m], int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += 0.5 * a[k][j];
}

// Neighbours on a torus, which are at other places on other ways, in a flat array with 'int' subscripts.
__attribute__((noinline)) void torus(int rows, int columns, double *w, int now, int next) {
  for (int i = 0; i < rows; i++) {
    int above = i ? i - 1 : rows - 1;
    for (int j = 0; j < columns; j++) {
      int left = j ? j - 1 : columns - 1;
      w[(next * rows + i) * columns + j] = 0.5 * (w[(now * rows + above) * columns + j] + w[(now * rows + i) * columns + left]);
    }
  }
}

// RAN-DAG: step: new version 2 ({{.*}}), original 1
// RAN-DAG: sized: new version 1 ({{.*}}), original 1
// RAN-DAG: torus: new version 1 ({{.*}}), original 1
int main(void) {
  static double w[3][40][50];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[0][i][j] = u[1][i][j] = (i * 7 + j * 3) % 11;
  for (int i = 0; i < 40 * 50; i++)
    w[1][0][i] = i % 13;
  step(0, 1);
  step(1, 0);
  step(1, 1);
  sized(40, 50, w, 1, 2);
  sized(40, 50, w, 1, 1);
  torus(40, 50, w[0][0], 2, 0);
  torus(40, 50, w[0][0], 1, 1);
  rows(u[1], 5);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += (u[0][i][j] + 2 * u[1][i][j]) * (i + j);
  for (int i = 0; i < 3 * 40 * 50; i++)
    sum += w[0][0][i] * (i % 5);
  printf("%.17g\n", sum);
}
