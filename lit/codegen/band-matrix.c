// A band matrix in rows of kl + ku + 1 elements, each shifted by one: along a column the next row is kl + ku elements on, which are no row. What stands
// still has whole rows in it where it has all that one is as long as (`2*kl + ku` is a row less one, and kl).
// RUN: env "POLYTILE=dump=scop;stop-after=scop;only=lu" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// CHECK: assume no-wrap {{.*}} p_size_0 = pt1_1 + pt2_2
// CHECK: strides ((mul 8 (add nsw 1 {{.*}})) 8)
// CHECK: read { S{{[0-9]+}}[i0, i1, i2] -> {{.*}}[1 + i0 + i1, pt1_1 - i1 + i2] }
#include <stdio.h>
#include <stdlib.h>
#define AB(i, j) ab[(i) * ld + (j) - (i) + kl]
__attribute__((noinline)) void lu(int n, int kl, int ku, double *ab) {
  int ld = kl + ku + 1;
  for (int k = 0; k < n - 1; k++)
    for (int i = k + 1; i <= k + kl && i < n; i++) {
      double f = AB(i, k) /= AB(k, k);
      for (int j = k + 1; j <= k + ku && j < n; j++)
        AB(i, j) -= f * AB(k, j);
    }
}
int main(void) {
  static const int all[][3] = {{1, 0, 0}, {2, 1, 1}, {9, 3, 2}, {40, 7, 0}, {40, 0, 5}, {70, 33, 40}, {60, 80, 70}};
  for (int t = 0; t < 7; t++) {
    int n = all[t][0], kl = all[t][1], ku = all[t][2], ld = kl + ku + 1;
    double *ab = malloc(sizeof(double) * n * ld), sum = 0;
    for (int i = 0; i < n * ld; i++)
      ab[i] = i * 7919 % 101 * .01;
    for (int i = 0; i < n; i++)
      AB(i, i) = 3 + kl + ku;
    lu(n, kl, ku, ab);
    for (int i = 0; i < n * ld; i++)
      sum = sum * .75 + ab[i];
    printf("%.17g\n", sum);
    free(ab);
  }
}
