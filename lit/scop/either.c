// A parameter that only chooses between nests (`step == 0`) is not assumed to have one of its values: the new version has all of them,
// each with its condition. Which of two nests runs may depend on sizes as well; those keep their case.
// RUN: %clang -O2 -mllvm -polytile-dump=scop -mllvm -polytile-only=update -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -ffp-contract=off -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t.new 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=run" %clang -O3 -march=native -fopenmp -ffp-contract=off -DMAIN %s -o %t.both
// RUN: env OMP_NUM_THREADS=2 %t.both | cmp - %t.expected

// CHECK: assume non-empty { : p[[N:[a-z0-9_]+]] > 0 and p[[M:[a-z0-9_]+]] > 0 }
// CHECK: domain { S0[i0, i1] : p[[STEP:[a-z0-9_]+]] = 0 and
// CHECK: domain { S1[i0, i1] : {{.*}}(p[[STEP]] < 0 or p[[STEP]] > 0)
// RUNS: update: new version 8 {{.*}}, original 0
__attribute__((noinline)) void update(int step, int n, int m, double a[restrict n][m], double b[restrict n][m],
                                      double c[restrict n][m]) {
  if (step == 0)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] = b[i][j] / (c[i][j] + 2);
  else
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] = a[i][j] * c[i][j] / (b[i][j] + 3);
}

#ifdef MAIN
#include <stdio.h>
static double a[90 * 70], b[90 * 70], c[90 * 70];

int main(void) {
  for (int i = 0; i < 90 * 70; i++)
    a[i] = i % 13 * 0.37, b[i] = i % 7 * 0.11, c[i] = i % 17 * 0.29;
  for (int t = 0; t < 8; t++) {
    update(t % 3 - 1, 90 - 3 * t, 70 - t, (void *)a, (void *)b, (void *)c);
    double sum = 0;
    for (int i = 0; i < 90 * 70; i++)
      sum = sum * 1.0009765625 + a[i];
    printf("%a\n", sum);
  }
}
#endif
