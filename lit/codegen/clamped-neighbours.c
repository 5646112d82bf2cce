// Neighbours at the border of a grid are the border itself. Copies of a statement for the ends of its innermost loop are enough in three
// dimensions: which row is taken is chosen in front of that loop, which LLVM makes vectors of. Grids of one row are left to the original.
// RUN: env "POLYTILE=dump=scop,ast;stop-after=ast;only=planes" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=scop;stop-after=scop;only=exchanged" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=EXCHANGED %s
// RUN: env "POLYTILE=min-work=0;only=planes" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s -Rpass=loop-vectorize 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: env "POLYTILE=min-work=0;only=planes" %clang -O3 -march=x86-64-v3 -S -o - %s | FileCheck --check-prefix=CODE %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// CHECK-NOT: S8
// CHECK: read { {{.*}} -> M{{.*}}[{{.*}}] : {{.*}} (sel
// CHECK: S{{[0-9]}}(c{{[0-9]+}}, c{{[0-9]+}}, c{{[0-9]+}})
//
// EXCHANGED: scop "exchanged
// EXCHANGED-NOT: assume in-bounds
// EXCHANGED: stmt S0
//
// LANES: vectorized loop
//
// CODE-LABEL: planes.polytile.team:
// CODE: vmovups {{.*}}, (%r
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void planes(int nz, int ny, int nx, const float *restrict a, float *restrict o) {
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx + z * nx * ny;
        int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1, n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
        int b = z == 0 ? c : c - nx * ny, t = z == nz - 1 ? c : c + nx * ny;
        o[c] = a[c] * 0.4f + (a[w] + a[e]) * 0.1f + (a[n] + a[s]) * 0.05f + (a[b] + a[t]) * 0.125f;
      }
}
// Both grids are written, so that subscripts have to stay in their rows.
__attribute__((noinline)) void exchanged(int steps, int ny, int nx, float *restrict a, float *restrict o) {
  for (int i = 0; i < steps; i++) {
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx;
        int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1, n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
        o[c] = a[c] * 0.4f + (a[w] + a[e]) * 0.2f + (a[n] + a[s]) * 0.1f;
      }
    float *t = a;
    a = o;
    o = t;
  }
}
#ifdef MAIN
static float a[20000], o[20000];
int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {1, 9, 40}, {2, 2, 2}, {3, 1, 5}, {4, 7, 1}, {5, 6, 70}, {9, 11, 37}, {2, 40, 3}};
  for (int k = 0; k < 8; k++) {
    const int *n = sizes[k];
    for (int i = 0; i < 20000; i++) {
      a[i] = i * 7 % 101 * 0.25f;
      o[i] = 0;
    }
    planes(n[0], n[1], n[2], a, o);
    exchanged(n[0], n[0] * n[1], n[2], a, o);
    exchanged(5, n[1], n[2], o, a);
    unsigned h = 0;
    for (int i = 0; i < 20000; i++)
      h = h * 31 + (unsigned)(a[i] * 1024) + (unsigned)(o[i] * 4096);
    printf("%u\n", h);
  }
}
#endif
