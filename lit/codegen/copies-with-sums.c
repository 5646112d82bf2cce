// An inner loop of known length that LLVM has unrolled around loops of their own, each with a sum that is cleared in front and stored behind it, and with a
// diagonal that the copies tell by their number: rolled up it is one sum, with an element for each iteration of all short loops around.
// RUN: env "POLYTILE=dump=scop" %clang -O3 -march=native -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=native -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=TILE %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: %t.new | cmp - %t.expected
#include <stdio.h>
enum { D = 8, K = 10 };
// TILE: 1 register tile
// CHECK: stmt S2
// CHECK-NOT: stmt S3
__attribute__((noinline)) void covariance(long n, double (*restrict c)[D][D], const double (*restrict x)[D], const double (*restrict m)[D], const double (*restrict r)[K]) {
  for (int k = 0; k < K; k++)
    for (int i = 0; i < D; i++)
      for (int j = 0; j < D; j++) {
        double s = 0;
        for (long p = 0; p < n; p++)
          s += r[p][k] * (x[p][i] - m[k][i]) * (x[p][j] - m[k][j]);
        c[k][i][j] = s / n + (i == j ? 1e-3 : 0);
      }
}
#ifdef MAIN
enum { N = 300 };
static double c[K][D][D], x[N][D], m[K][D], r[N][K];
int main(void) {
  for (int p = 0; p < N; p++) {
    for (int i = 0; i < D; i++)
      x[p][i] = (p * 37 + i * 11) % 101 / 101.;
    for (int k = 0; k < K; k++)
      r[p][k] = (p * 7 + k) % 13 / 13.;
  }
  for (int k = 0; k < K; k++)
    for (int i = 0; i < D; i++)
      m[k][i] = (k + i) % 5 / 5.;
  double sum = 0;
  for (long n = 1; n <= N; n += 23) {
    covariance(n, c, x, m, r);
    for (int k = 0; k < K; k++)
      for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++)
          sum = sum * .75 + c[k][i][j];
    printf("%a\n", sum);
  }
}
#endif
