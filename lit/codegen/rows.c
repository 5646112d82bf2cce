// A factorization in tiles of which each begins when its neighbours in the row above and in front of it are finished. Rows are
// claimed; a thread that waits too long leaves its row to whoever comes. The same bytes with any number of threads, more of
// them than cores or fewer than asked for, without a runtime, and inside a region that is parallel already.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=7 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=7 OMP_THREAD_LIMIT=2 %t.omp | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.auto && env OMP_NUM_THREADS=2 %t.auto | cmp - %t.expected
//
// CHECK-LABEL: define internal {{.*}}@factorize.polytile.team(
// CHECK-NOT: @__kmpc_barrier(
// CHECK-DAG: call {{.*}}i64 @polytile.row(
// CHECK-DAG: call {{.*}}i64 @polytile.row.next(
// CHECK-DAG: call {{.*}}i64 @polytile.row.may(
// CHECK-DAG: store atomic i64 %{{.*}} release
// CHECK-DAG: call {{.*}}void @polytile.row.end(
// CHECK-DAG: call {{.*}}void @polytile.row.leave(
// CHECK-LABEL: define internal {{.*}}i64 @polytile.row(
// CHECK: load atomic i64, ptr %{{.*}} acquire
// CHECK: cmpxchg ptr %{{.*}} acquire monotonic
// CHECK-LABEL: define internal {{.*}}i64 @polytile.row.next(
// CHECK-LABEL: define internal {{.*}}i64 @polytile.row.may(
// CHECK: load atomic i64, ptr %{{.*}} acquire
// CHECK-LABEL: define internal {{.*}}void @polytile.row.end(
// CHECK: store atomic i64 0, ptr
// CHECK: store atomic i64 %{{.*}} release
#define N 500
__attribute__((noinline)) void factorize(int n, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
#ifdef MAIN
#include <stdio.h>
static double a[N][N];
int main(void) {
  static const int sizes[] = {1, 95, 96, 97, 192, 205, 290, 500};
  for (int s = 0; s < 8; s++)
    for (int times = 0; times < 2; times++) {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          a[i][j] = (double)(i * j % 11) / 16 + (i == j ? 3 * N : 0);
#ifdef _OPENMP
#pragma omp parallel num_threads(2) if (times)
#pragma omp single
#endif
      factorize(sizes[s], a);
      double sum = 0;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          sum = sum * 0.9 + a[i][j];
      printf("%a\n", sum);
    }
}
#endif
