// A filter along the rows of an image, of a length that is known at run time: lanes run over the row and read the image from place to place. As a
// product of the rows with a matrix that has the filter along its diagonal it would compute mostly nothing.
// RUN: env "POLYTILE=dump=schedule;stop-after=schedule;only=rows" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=schedule;stop-after=schedule;only=products" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: %plainclang -O1 -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// CHECK-NOT: i1 + i2
// CHECK: register_tile
//
// Where the lanes lean on the rows, a product it is.
// LANES: i0 + i1
// LANES: register_tile
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void rows(int h, int w, int taps, float (*restrict in)[w], float (*restrict out)[w], const float *restrict k) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w - taps; x++) {
      float s = 0;
      for (int d = 0; d < taps; d++)
        s += in[y][x + d] * k[d];
      out[y][x] = s;
    }
}
__attribute__((noinline)) void products(int n, int m, float (*restrict a)[n], float (*restrict c)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[k][i] * a[k][j];
}
#ifdef MAIN
int main(void) {
  static const int sizes[][3] = {{1, 3, 1}, {2, 9, 9}, {5, 40, 3}, {9, 33, 12}, {17, 100, 1}, {8, 64, 40}, {3, 70, 0}};
  for (int s = 0; s < 7; s++) {
    int h = sizes[s][0], w = sizes[s][1], t = sizes[s][2];
    float(*a)[w] = malloc(sizeof(float[h][w])), (*b)[w] = calloc(h, sizeof(float[w])), (*c)[w] = calloc(w, sizeof(float[w])), k[64];
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++)
        a[i][j] = (i * 31 + j * 17) % 23 / 5.f;
    for (int i = 0; i < 64; i++)
      k[i] = 1.f / (i + 2);
    rows(h, w, t, a, b, k);
    products(w, h, a, c);
    unsigned long sum = 0;
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        union { float f; unsigned u; } x = {b[i][j]}, y = {c[i % w][j]};
        sum = sum * 31 + x.u + 7 * y.u;
      }
    printf("%d %d %d %lx\n", h, w, t, sum);
  }
}
#endif
