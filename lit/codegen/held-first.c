// What a nest reads in its first iteration whichever way that takes is read in front of it: data and sizes of a structure that both arms of a
// condition load. Where a condition of the first iteration is known, one way is enough.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  int nx, ny, nz;
  double *v;
} grid;

static inline double get(const grid *g, int x, int y, int z) { return g->v[(z * g->ny + y) * g->nx + x]; }
static inline void set(grid *g, int x, int y, int z, double q) { g->v[(z * g->ny + y) * g->nx + x] = q; }

// CHECK-DAG: held-first.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void plane(const grid *a, grid *b, double k) {
  for (int y = 0; y < a->ny; y++)
    for (int x = 0; x < a->nx; x++) {
      if (x == 0 || y == 0 || x == a->nx - 1 || y == a->ny - 1) {
        set(b, x, y, 0, get(a, x, y, 0));
        continue;
      }
      double c = get(a, x, y, 0);
      set(b, x, y, 0, c + k * (get(a, x - 1, y, 0) + get(a, x + 1, y, 0) + get(a, x, y - 1, 0) + get(a, x, y + 1, 0) - 4 * c));
    }
}

// CHECK-DAG: held-first.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void space(const grid *a, grid *b, double k) {
  for (int z = 0; z < a->nz; z++)
    for (int y = 0; y < a->ny; y++)
      for (int x = 0; x < a->nx; x++) {
        if (x == 0 || y == 0 || z == 0 || x == a->nx - 1 || y == a->ny - 1 || z == a->nz - 1) {
          set(b, x, y, z, get(a, x, y, z));
          continue;
        }
        set(b, x, y, z, get(a, x, y, z) + k * (get(a, x - 1, y, z) + get(a, x, y + 1, z) + get(a, x, y, z - 1)));
      }
}

int main(void) {
  for (int n = 1; n < 40; n += 1 + n / 3) {
    grid a = {n, n + 1, n / 2 + 1, 0}, b = a;
    long e = (long)a.nx * a.ny * a.nz;
    a.v = malloc(8 * e);
    b.v = calloc(e, 8);
    for (long i = 0; i < e; i++)
      a.v[i] = i % 7 / 3.;
    space(&a, &b, .25);
    plane(&b, &a, .25);
    double sum = 0;
    for (long i = 0; i < e; i++)
      sum += (i % 5) * a.v[i] + b.v[i];
    printf("%.17g\n", sum);
    // Nothing is read where there is nothing.
    grid none = {0, 0, 0, 0};
    space(&none, &none, 1);
    plane(&none, NULL, 1);
  }
}
