// Small systems of constant size, one after the other: loops of twelve are too short for tiles, and threads take systems in the order of the source.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 12 };

typedef struct {
  double a[SIZE][SIZE], b[SIZE];
} system_of;

static void solve(system_of *s) {
  for (int k = 0; k < SIZE; k++) {
    double p = 1 / s->a[k][k];
    for (int i = k + 1; i < SIZE; i++) {
      double f = s->a[i][k] * p;
      for (int j = k + 1; j < SIZE; j++)
        s->a[i][j] -= f * s->a[k][j];
      s->b[i] -= f * s->b[k];
    }
  }
  for (int i = SIZE - 1; i >= 0; i--) {
    double t = s->b[i];
    for (int j = i + 1; j < SIZE; j++)
      t -= s->a[i][j] * s->b[j];
    s->b[i] = t / s->a[i][i];
  }
}

// CHECK: {{^}}// parallel Static
// CHECK-NEXT: for (c0 = 0; c0 <= (p0 - 1); c0 += 1)
__attribute__((noinline)) void all(int n, system_of *s) {
  for (int e = 0; e < n; e++)
    solve(s + e);
}

#ifdef MAIN
int main(void) {
  for (int n = 0; n < 3000; n += n * 2 + 1) {
    system_of *s = malloc(n * sizeof *s + 1);
    for (int e = 0; e < n; e++)
      for (int i = 0; i < SIZE; i++) {
        s[e].b[i] = i + e % 3;
        for (int j = 0; j < SIZE; j++)
          s[e].a[i][j] = i == j ? SIZE + e % 5 : 1. / (1 + i + j);
      }
    all(n, s);
    for (int e = 0; e < n; e++)
      for (int i = 0; i < SIZE; i++)
        printf("%a\n", s[e].b[i]);
    free(s);
  }
}
#endif
