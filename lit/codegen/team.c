// One team of threads for the loop over steps: forked once. Pieces of each sweep, and what only one thread does, are claimed by
// whoever has time; all wait until the pieces are finished, not until all threads are there. It gives the same bytes with any number of threads, without a runtime, and inside a region that is parallel already.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.auto && env OMP_NUM_THREADS=2 %t.auto | cmp - %t.expected
//
// CHECK-LABEL: define {{.*}}@steps(
// CHECK: call i64 @polytile.fork(
// CHECK-NOT: @polytile.fork(
// CHECK-LABEL: define internal {{.*}}@steps.polytile.team(
// CHECK-NOT: @__kmpc_barrier(
// CHECK: call i64 @polytile.claim(
// CHECK: call void @polytile.finish(
// CHECK: call i64 @polytile.claim(
// CHECK: call void @polytile.finish(
// CHECK: call i64 @polytile.claim(
// CHECK: call void @polytile.finish(
// CHECK-LABEL: define internal {{.*}}@steps.polytile.task(
// CHECK: call i32 @omp_get_num_threads()
// CHECK-LABEL: define internal {{.*}}i64 @polytile.claim(
// CHECK: cmpxchg ptr %{{.*}} monotonic monotonic
// CHECK-LABEL: define internal {{.*}}void @polytile.finish(
// CHECK: atomicrmw add ptr %{{.*}} release
// CHECK-DAG: load atomic i64, ptr %{{.*}} acquire
// CHECK-DAG: call {{.*}}@sched_yield()
// CHECK-LABEL: define internal {{.*}}i64 @polytile.fork(
// CHECK: call {{.*}}@__kmpc_fork_call(
// CHECK-NOT: @__kmpc_fork_call(
#include <stdio.h>
__attribute__((noinline)) void steps(int t, int n, double (*restrict a)[64], double (*restrict b)[64],
                                     double *restrict log) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.5 * b[i][j] * b[i][j];
    log[s + 1] = log[s] * 0.5 + a[1][1];
  }
}
#ifdef MAIN
static double a[64][64], b[64][64], log_[40];
int main(void) {
  for (int n = 2; n < 64; n += 5) {
    for (int i = 0; i < 64; i++)
      for (int j = 0; j < 64; j++)
        a[i][j] = (double)(i * j % 11) / n;
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#pragma omp single
#endif
    steps(n / 2, n, a, b, log_);
    steps(n / 3, n, a, b, log_);
    double sum = 0;
    for (int i = 0; i < 64; i++)
      for (int j = 0; j < 64; j++)
        sum = sum * 0.9 + a[i][j] + b[i][j] + log_[j % 40];
    printf("%a\n", sum);
  }
}
#endif
