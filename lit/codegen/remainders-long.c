// Neighbours around a torus in 64 bits: the compiler peels the last iteration off, whose column is merged from two paths, and so are the numbers and the
// choice that are made of it.
// RUN: %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -Rpass=polytile %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK: remainders-long.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} vector loop
__attribute__((noinline)) void torus(size_t n, size_t m, const double *u, double *w) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      w[i * m + j] = u[i * m + j] + .1 * (u[((i + 1) % n) * m + j] + u[((i + n - 1) % n) * m + j] + u[i * m + (j + 1) % m] +
                                          u[i * m + (j + m - 1) % m] - 4 * u[i * m + j]);
}

int main(void) {
  for (size_t n = 0; n <= 40; n += n < 5 ? 1 : 7)
    for (size_t m = 0; m <= 40; m += m < 5 ? 1 : 5) {
      double *u = malloc((n * m + 1) * sizeof *u), *w = calloc(n * m + 1, sizeof *w);
      for (size_t i = 0; i < n * m; i++)
        u[i] = i * 37 % 101 * .25;
      torus(n, m, u, w);
      fwrite(w, sizeof *w, n * m, stdout);
      free(u);
      free(w);
    }
}
