// Stores that wrap around at different ends of a row are statements with different domains. What they share is computed once in each
// iteration, also if something is stored in between, and an element that may have been written is read again.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=100000" %clang -O3 -march=x86-64-v3 -fno-vectorize -fno-slp-vectorize -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#define NOINLINE __attribute__((noinline))
typedef struct {
  double f[3];
} Cell;

// The quotient of both stores, in all columns but the last.
// CHECK-LABEL: define internal {{.*}}@shifted.polytile.team{{.*}}(
// CHECK: [[SHARE:%[0-9]+]] = fdiv double
// CHECK: fsub double {{%.*}}, [[SHARE]]
// CHECK: fadd double {{%.*}}, [[SHARE]]
NOINLINE void shifted(int m, int n, Cell *restrict to, const Cell *restrict from) {
  for (int y = 0; y < m; y++)
    for (int i = 0; i < n; i++) {
      const Cell *c = from + y * n + i;
      double rest = c->f[0] - c->f[1], share = rest / (c->f[1] + c->f[2]);
      to[y * n + i].f[0] = c->f[0] - share;
      to[y * n + (i + 1) % n].f[1] = c->f[1] + share;
    }
}

NOINLINE void pushed(int m, int n, Cell *restrict to, const Cell *restrict from) {
  for (int y = 0; y < m; y++)
    for (int i = 0; i < n; i++) {
      const Cell *c = from + y * n + i;
      double rest = c->f[0] - c->f[1], share = rest / (c->f[1] + c->f[2]);
      to[y * n + i].f[0] = c->f[0] - share;
      to[y * n + (i + 1) % n].f[1] = c->f[1] + share;
      to[y * n + (i + n - 1) % n].f[2] = c->f[2] * share;
    }
}

// a[i + 1] is written between two reads of it.
NOINLINE void between(int n, double *restrict a, double *restrict b, double *restrict c, long at) {
  for (int i = 0; i < n - 1; i++) {
    b[i] = a[i] / a[i + 1];
    a[i + 1] = b[i] + 1;
    c[i + at] = a[i] / a[i + 1];
  }
}

#ifdef MAIN
#include <stdio.h>
#define N 40
int main(void) {
  static Cell from[N * N], to[N * N];
  static double a[N], b[N], c[N];
  for (int n = 1; n <= N; n += 3) {
    for (int i = 0; i < N * N; i++)
      from[i] = (Cell){{i % 7 + .5, i % 5 + 1, i % 3 + .25}};
    for (int i = 0; i < N; i++)
      a[i] = i % 11 + 1;
    pushed(N - n / 2, n, to, from);
    between(n, a, b, c, 1);
    fwrite(to, sizeof to, 1, stdout);
    shifted(n, N - n / 2, to, from);
    fwrite(to, sizeof to, 1, stdout);
    fwrite(b, sizeof b, 1, stdout);
    fwrite(c, sizeof c, 1, stdout);
  }
}
#endif
