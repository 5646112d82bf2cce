// One sum needs all that another yields on a row. Threads take blocks of rows, each a part of the columns behind the one above;
// on its rows the second sum follows the first. The same bytes with any number of threads, which changes the width of the
// parts, and where a part or a block is empty or cut off.
// RUN: %plainclang -O1 -march=x86-64-v3 -fopenmp %s -o %t.plain && env OMP_NUM_THREADS=1 %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=schedule,ast;only=twice" %clang -O3 -march=x86-64-v3 -fopenmp %s -o %t.rows 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.rows | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.rows | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.rows | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=8 %t.rows | cmp - %t.expected
// CHECK: default: 256, multiple_of: 64, dealt: 1
// CHECK: S2[i0, i1] -> [(i1)]; S3[i0, i1] -> [(pt1_1 + i1)]
// CHECK: loops: [ parallel-pipelined, sequential ]
// CHECK-NEXT: tile: [ 16, s0 ]
// CHECK: // team
// CHECK: // parallel Pipelined
// CHECK-NEXT: for ([[ROW:c[0-9]+]] = 0; [[ROW]] <= (p0 - 1); [[ROW]] += 16)
// CHECK-NEXT: // stage
// CHECK-NEXT: for ([[PART:c[0-9]+]] = 0; [[PART]] <= ((2 * p1) - 1); [[PART]] += s0)
// CHECK: tile 1x{{.*}} S2
// CHECK: tile 1x{{.*}} S3
#include <stdio.h>
static double a[100][512], x[512], y[512], t[100];
__attribute__((noinline)) void twice(int m, int n, double a[100][512], double x[512], double y[512], double t[100]) {
  for (int i = 0; i < n; i++)
    y[i] = 0.0;
  for (int i = 0; i < m; i++) {
    t[i] = 0.0;
    for (int j = 0; j < n; j++)
      t[i] = t[i] + a[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] = y[j] + a[i][j] * t[i];
  }
}
int main(void) {
  static const int rows[] = {1, 15, 16, 33, 100}, columns[] = {1, 7, 255, 256, 257, 300, 512};
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 512; j++)
      a[i][j] = (double)(i * j % 11) / 7 + i;
  for (int j = 0; j < 512; j++)
    x[j] = 1.0 + (double)j / 512;
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 7; c++) {
      twice(rows[r], columns[c], a, x, y, t);
      for (int j = 0; j < columns[c]; j++)
        printf("%a\n", y[j]);
      for (int i = 0; i < rows[r]; i++)
        printf("%a\n", t[i]);
    }
}
