// Two rows behind pointers in each step: they are rows of one table, as the program counts pointers, and not of two tables whose rows lie between each other.
//
// RUN: %clang -O3 -march=native -fopenmp %s -o %t
// RUN: %plainclang -O3 -march=native %s -o %t.plain
// RUN: env "POLYTILE=dump=scop" %clang -O3 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=2 %t.new 300 2>&1 | FileCheck %s
// RUN: for n in 2 3 4 9 40; do %t.plain $n; done > %t.expected
// RUN: for n in 2 3 4 9 40; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 2 3 4 9 40; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
//
// SCOP: scop "relax.
// SCOP-NOT: t0_rows_
// SCOP: rows {{.*}} from 0 step 1 pitch
// CHECK: relax: new version {{[1-9][0-9]*}} {{.*}} original 0
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void relax(int n, int m, double **u) {
  for (int i = 1; i < n - 2; i += 2) {
    for (int j = 1; j < m - 1; j += 2)
      u[i][j] += .4 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    for (int j = 2; j < m - 1; j += 2)
      u[i + 1][j] += .4 * (u[i][j] + u[i + 2][j] + u[i + 1][j - 1] + u[i + 1][j + 1] - 4 * u[i + 1][j]);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, m = n + 20;
  double **u = malloc(sizeof(*u) * n), sum = 0;
  u[0] = malloc(sizeof(double) * n * m);
  for (int i = 1; i < n; i++)
    u[i] = u[0] + (size_t)i * m;
  for (int i = 0; i < n * m; i++)
    u[0][i] = i * 7 % 13;
  for (int t = 0; t < 4; t++)
    relax(n, m, u);
  for (int i = 0; i < n * m; i++)
    sum = sum * .999 + u[0][i];
  printf("%d %.17g\n", n, sum);
}
