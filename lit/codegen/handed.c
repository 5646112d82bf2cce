// A scalar that would keep iterations in order becomes an array; where each value is read in the iteration that wrote it, the
// array is a register again and has no memory. A value that another loop reads stays in memory.
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=x86-64 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#define N 70

// CHECK-LABEL: define {{.*}}@transpose(
// CHECK-NOT: @malloc(
// CHECK-LABEL: define {{.*}}@rows(
__attribute__((noinline)) void transpose(int n, double (*a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double t = a[i][j];
      a[i][j] = a[j][i];
      a[j][i] = t;
    }
}

// CHECK: @malloc(
__attribute__((noinline)) void rows(int n, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = 0; j < n; j++)
      t += a[i][j];
    for (int j = 0; j < n; j++)
      a[i][j] -= t;
  }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N];
int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 1) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = (i * 7 + j) % 5 * 0.1;
    transpose(n, a);
    rows(n, a);
    for (int i = 0; i < N; i++)
      fwrite(a[i], sizeof(double), N, stdout);
  }
}
#endif
