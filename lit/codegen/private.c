// Rows of sums get one copy per iteration of q, and all copies one per thread: iterations of r share nothing then, so that
// threads meet once. The thread of the last iteration leaves what the program sees in `sum`.
// RUN: env "POLYTILE=dump=schedule,ast;min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -S -emit-llvm -o - %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.private
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.private | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
//
// CHECK: private: [ 3 ]
// CHECK: // parallel Static private A3
// CHECK-NEXT: for ([[R:c[0-9]+]] = 0; [[R]] <= (p0 - 1)
// CHECK-NOT: // parallel
// CHECK: if ((([[R]] + 1) == p0))
// CHECK: S3((p0 - 1), (p1 - 1),
//
// CHECK-LABEL: define {{.*}}@transform(
// CHECK: call i64 @polytile.threads{{.*}}(i64
// CHECK: call {{.*}}ptr @malloc(
// CHECK: define internal {{.*}}@transform{{.*}}team
void transform(int nr, int nq, int np, double (*restrict a)[20][30], double (*restrict c)[30], double *restrict sum) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < np; s++)
          sum[p] += a[r][q][s] * c[s][p];
      }
      for (int p = 0; p < np; p++)
        a[r][q][p] = sum[p];
    }
}
#ifdef MAIN
#include <stdio.h>
static double a[25][20][30], c[30][30], sum[30];
int main(void) {
  for (int n = 0; n <= 25; n += 5) {
    for (int i = 0; i < 25 * 20 * 30; i++)
      (&a[0][0][0])[i] = (i * 7 + n) % 31 * 0.125;
    for (int i = 0; i < 30 * 30; i++)
      (&c[0][0])[i] = i % 29 * 1e-3;
    transform(n, 20 - n / 2, 30 - n, a, c, sum);
    double total = 0;
    for (int i = 0; i < 25 * 20 * 30; i++)
      total = total * 0.5 + (&a[0][0][0])[i];
    printf("%a\n", total);
    for (int i = 0; i < 30; i++)
      printf("%a\n", sum[i]);
  }
}
#endif
