// Sweeps over the cells of one colour, of sizes that are known: the steps share their loop though no other row is found among such numbers, rows run on
// threads, along rows rather than across them, and every other element of a row is stored by scalars.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=znver5 -S -emit-llvm -o - %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

static void sweep(int n, int m, double (*u)[m], double (*f)[m], int colour) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
      u[i][j] = .25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - .01 * f[i][j]);
}

// CHECK: for ([[T:c[0-9]+]] = 0; [[T]] <= 59
// CHECK: // parallel
// CHECK-NEXT: for ([[I:c[0-9]+]] =
// CHECK: S1([[T]], [[I]],
// CHECK: // parallel
// CHECK-NEXT: for ([[K:c[0-9]+]] =
// CHECK-NEXT: for ([[L:c[0-9]+]] =
// CHECK-NEXT: S3([[T]], {{.*}}[[K]]{{.*}}, {{.*}}[[L]]
// CHECK-LABEL: define internal {{.*}}@main.polytile.team(
// CHECK-NOT: masked.scatter
// CHECK-LABEL: define
// CHECK: attributes #{{[0-9]+}} = {{.*}}+prefer-no-scatter
int main(void) {
  int n = 500, m = 480;
  double(*u)[m] = calloc(n, sizeof *u), (*f)[m] = calloc(n, sizeof *f), s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      f[i][j] = (i * 7 + j * 3) % 11 * .1;
  for (int t = 0; t < 60; t++) {
    sweep(n, m, u, f, 0);
    sweep(n, m, u, f, 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += u[i][j] * (j % 3 + 1);
  printf("%.17g\n", s);
  free(u);
  free(f);
}
