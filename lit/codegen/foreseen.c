// A matrix in a structure: LLVM reads its pointer and its length of a row under `k + 1 < n`, in each step of a factorization. Where that does not hold for
// k = 0 it never holds, so the first step says whether there is anything to read.
// RUN: %clang -O3 -march=x86-64-v3 -g1 -Rpass=polytile -fno-caret-diagnostics -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang-22 -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
struct matrix {
  int rows, columns;
  double *data;
};
// CHECK: foreseen.c:[[@LINE+2]]:3: remark: loop nest transformed: 2 statements, {{.*}} 1 register tile
__attribute__((noinline)) void factor(int n, struct matrix *a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a->data[i * a->columns + k] = a->data[i * a->columns + k] / a->data[k * a->columns + k];
      for (int j = k + 1; j < n; j++)
        a->data[i * a->columns + j] -= a->data[i * a->columns + k] * a->data[k * a->columns + j];
    }
}
static double x[60 * 61];
int main(void) {
  // Nothing is read of a matrix of one row, nor of none.
  factor(1, 0);
  factor(0, 0);
  for (int n = 2; n <= 60; n += 29) {
    struct matrix a = {n, n + 1, x};
    for (int i = 0; i < 60 * 61; i++)
      x[i] = i % 11 + (i % (n + 2) == 0 ? 100 : 0);
    factor(n, &a);
    double sum = 0;
    for (int i = 0; i < 60 * 61; i++)
      sum = sum * .5 + x[i];
    printf("%a\n", sum);
  }
}
