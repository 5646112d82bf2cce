// Sums of what a condition on data chooses, in lanes along a loop that the condition does not move with: it is asked in front of them. No lane divides where
// the program does not.
// RUN: env "POLYTILE=stop-after=ast;dump=ast" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=CODE
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK: // vector
// CHECK: for (c2
// CHECK-NEXT: // vector
// CHECK-NEXT: for (c3
// CHECK-NEXT: S1(c3, c2)
// CODE-LABEL: define {{.*}} @ranks.polytile.team(
// CODE-NOT: masked
// CODE-LABEL: define {{.*}} @ranks.polytile.task(
__attribute__((noinline)) void ranks(int n, double link[restrict n][n], const double *restrict rank, double *restrict next, const double *restrict out) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      if (out[j] > 0)
        s += link[j][i] / out[j] * rank[j];
    next[i] = .15 / n + .85 * s;
  }
}

// The condition moves with the lanes.
__attribute__((noinline)) void each(int n, double link[restrict n][n], const double *restrict rank, double *restrict next, const double *restrict out) {
  for (int i = 0; i < n; i++) {
    double s = 1;
    for (int j = 0; j < n; j++)
      if (link[j][i] > 0)
        s += rank[j] / link[j][i];
    next[i] = s * out[i];
  }
}

// One of two questions moves, and what is asked is changed by the loop.
__attribute__((noinline)) void both(int n, double link[restrict n][n], const double *restrict rank, double *restrict next, double *out) {
  for (int i = 0; i < n; i++) {
    double s = -0.0;
    for (int j = 0; j < n; j++)
      if (out[j] > 0 && link[j][i] < .5)
        s += link[j][i] * rank[j];
    next[i] = s;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (out[i] > 0)
        out[j] -= link[i][j] * .125;
}

#ifdef MAIN
int main(void) {
  for (int n = 0; n < 80; n += n / 3 + 1) {
    double(*link)[n] = malloc(sizeof(double[n][n]) + 1), *rank = malloc(8 * n + 1), *next = malloc(8 * n + 1), *out = malloc(8 * n + 1);
    for (int i = 0; i < n; i++) {
      rank[i] = i % 5 ? 1. / (i + 1) : 1;
      out[i] = i % 4 ? i * .5 : 0;
      for (int j = 0; j < n; j++)
        link[i][j] = i % 4 ? (i * 7 + j * 3) % 11 * .0625 : 1;
    }
    feclearexcept(FE_ALL_EXCEPT);
    ranks(n, link, rank, next, out);
    printf("%d %d", n, !!fetestexcept(FE_DIVBYZERO | FE_INVALID));
    for (int i = 0; i < n; i++)
      printf(" %a", next[i]);
    each(n, link, rank, next, out);
    for (int i = 0; i < n; i++)
      printf(" %a", next[i]);
    both(n, link, rank, next, out);
    for (int i = 0; i < n; i++)
      printf(" %a %a", next[i], out[i]);
    printf("\n");
    free(link), free(rank), free(next), free(out);
  }
}
#endif
