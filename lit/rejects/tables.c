// A table of pointers to rows that the nest itself writes: which row is meant changes on the way. Swap the pointers outside of the nest.
// RUN: %clang -O2 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s

// CHECK: tables.c:[[@LINE+2]]:3: remark: loop nest not transformed: the nest writes to the table that it takes the pointers to its rows from
void turn(double **a, double *b, int n, int m) {
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < m; j++)
      a[i][j] += b[j];
    a[i - 1] = a[i];
  }
}
