// Parallel loops that follow each other share one fork, with the short loop between them, which whoever comes first runs.
// Triangles are dealt in smaller pieces.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast" %clang -O3 -march=native -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck --check-prefix=AST %s
// RUN: FileCheck %s < %t.ll
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=40 %t.omp | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
//
// AST: // team
// AST: // parallel
// AST: // parallel
//
// CHECK-LABEL: define {{.*}}@neighbours(
// CHECK: call i64 @polytile.fork(
// CHECK-NOT: @polytile.fork(
// CHECK-LABEL: define internal {{.*}}@neighbours.polytile.team(
// CHECK: call void @polytile.finish(
// CHECK: call void @polytile.finish(
#include <stdio.h>
__attribute__((noinline)) void neighbours(int n, double (*restrict a)[90], double (*restrict b)[90], double *restrict v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i][j] = a[i][j] * 1.5 + b[j][i];
  v[0] = 1;
  for (int i = 1; i < n; i++)
    v[i] = v[i - 1] * 0.5 + a[i][i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = b[i][j] * v[n - 1 - j] + a[j][i];
}
#ifdef MAIN
static double a[90][90], b[90][90], v[90];
int main(void) {
  for (int n = 1; n < 90; n += 7) {
    for (int i = 0; i < 90; i++)
      for (int j = 0; j < 90; j++) {
        a[i][j] = (double)(i * j % 11) / n;
        b[i][j] = (double)(i + j % 7) / n;
      }
    neighbours(n, a, b, v);
    double sum = 0;
    for (int i = 0; i < 90; i++)
      for (int j = 0; j < 90; j++)
        sum = sum * 0.9 + a[i][j] + b[i][j] + v[j];
    printf("%a\n", sum);
  }
}
#endif
