// A loop with copies of an array per thread behind another parallel loop, both run by one team: each thread finds its copy by
// its number in the team, whichever pieces of the range it takes.
// RUN: env "POLYTILE=dump=schedule,ast;min-work=0;parallel-min-us=0;only=transform" %clang -O3 -march=znver4 -S -emit-llvm -o - %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp %s -o %t.team
// RUN: env OMP_NUM_THREADS=1 MALLOC_PERTURB_=255 %t.team | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 MALLOC_PERTURB_=255 %t.team | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.team | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=8 MALLOC_PERTURB_=255 %t.team | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native %s -o %t.alone && %t.alone | cmp - %t.expected
//
// CHECK: // team
// CHECK: // parallel Static
// CHECK: S0(
// CHECK-NOT: // team
// CHECK: // parallel Static private A4
// CHECK-NEXT: for ([[R:c[0-9]+]] = 0; [[R]] <= (p1 - 1)
#include <stdio.h>
__attribute__((noinline)) void transform(int nr, int nq, int np, double (*restrict a)[20][30], double (*restrict c)[30], double *restrict sum, int nd, double *restrict d) {
  for (int i = 0; i < nd; i++)
    d[i] = d[i] * 0.5 + i;
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
static double a[25][20][30], c[30][30], sum[30], d[500];
int main(void) {
  for (int n = 0; n <= 25; n += 5) {
    for (int i = 0; i < 25 * 20 * 30; i++)
      (&a[0][0][0])[i] = (i * 7 + n) % 31 * 0.125;
    for (int i = 0; i < 30 * 30; i++)
      (&c[0][0])[i] = i % 29 * 1e-3;
    for (int again = 0; again < 20; again++)
      transform(n, 20 - n / 2, 30 - n, a, c, sum, 20 * n, d);
    for (int i = 0; i < 25 * 20 * 30; i++)
      printf("%a\n", (&a[0][0][0])[i]);
    for (int i = 0; i < 30; i++)
      printf("%a\n", sum[i]);
    for (int i = 0; i < 500; i++)
      printf("%a\n", d[i]);
  }
}
