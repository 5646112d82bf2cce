// Tiles in waves that save no traffic and have no lanes (two of them would not pay) gain by threads alone. With one thread, inside a parallel region and without a
// runtime the original runs.
// RUN: %clang -O3 -march=x86-64 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=x86-64 -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64 -fopenmp -DMAIN %s -o %t.always && env OMP_NUM_THREADS=1 %t.always | cmp - %t.expected
// RUN: %clang -O3 -march=x86-64 -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
//
// CHECK-LABEL: define {{.*}}@best(
// CHECK: [[COUNT:%.*]] = {{.*}}call i64 @polytile.threads(i64
// CHECK-NEXT: icmp {{.*}}gt i64 [[COUNT]], 1
// CHECK-LABEL: define internal {{.*}}i64 @polytile.threads(i64
// CHECK-DAG: call i32 @omp_get_max_threads()
// CHECK-DAG: call i32 @omp_in_parallel()
// CHECK-DAG: call i32 @omp_get_thread_limit()
// CHECK-DAG: call i32 @omp_get_num_procs()
// CHECK-DAG: declare extern_weak i32 @omp_get_max_threads()
// CHECK-DAG: declare extern_weak i32 @omp_in_parallel()
#define N 2000
void best(int n, long (*restrict b)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      long side = b[i - 1][j] > b[i][j - 1] ? b[i - 1][j] : b[i][j - 1];
      b[i][j] = side - 1 > b[i][j] ? side - 1 : b[i][j];
    }
}
#ifdef MAIN
#include <stdio.h>
static long y[N][N];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 9, 400, 2000};
  for (int s = 0; s < 7; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        y[i][j] = (i + j * 5) % 57;
    best(sizes[s], y);
    fwrite(y, sizeof y, 1, stdout);
  }
}
#endif
