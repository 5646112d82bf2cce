// Loops that keep the original order gain by threads alone: the work is looked at before anything else, and with one thread
// the original runs. The iterations that a thread gets are as independent for the vectorizer as they are for threads.
// RUN: env POLYTILE=parallel=all %clang -O1 -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s
// RUN: env POLYTILE=parallel=all %clang -O3 -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=PART
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE=parallel=all %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// CHECK-LABEL: define {{.*}}@first(
// CHECK: [[ENOUGH:%.*]] = icmp
// CHECK-NEXT: br i1 [[ENOUGH]], label
// CHECK-DAG: to i128
// CHECK-DAG: call i64 @polytile.threads(i64
// PART-LABEL: define {{.*}}@first.polytile.team
// PART: store <4 x double>
void first(long n, double *a, double *b) {
  for (long i = 1; i < n; i++)
    a[i] = a[0] + b[i];
}
#ifdef MAIN
#include <stdio.h>
#define N 700000
static double x[N], y[N];
int main(void) {
  const long sizes[] = {0, 1, 2, 9, 40000, N};
  for (int s = 0; s < 6; s++) {
    for (int i = 0; i < N; i++)
      x[i] = i % 7, y[i] = i % 11 * 0.5;
    first(sizes[s], x, y);
    first(sizes[s] / 2, x, x + sizes[s] / 4);
    fwrite(x, sizeof x, 1, stdout);
  }
}
#endif
