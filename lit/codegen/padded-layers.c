// A layer of convolutions with padding, whose window is of a size known at run time: for each channel and row of the window, output channels by
// columns by the window's columns are a product. Around it remain the sums over channels and rows. As lanes over the output channels, which lie far
// apart, it took more time than the original.
// RUN: env "POLYTILE=dump=ast;only=layer" %clang -O3 -march=x86-64-v4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.omp
// RUN: for n in 1 2 5 17 40; do for k in 1 3 4; do %t.plain $n $k; done; done > %t.expected
// RUN: for n in 1 2 5 17 40; do for k in 1 3 4; do env OMP_NUM_THREADS=1 %t.omp $n $k; done; done | cmp - %t.expected
// RUN: for n in 1 2 5 17 40; do for k in 1 3 4; do env OMP_NUM_THREADS=3 %t.omp $n $k; done; done | cmp - %t.expected
//
// CHECK-NOT: lanes
// CHECK: tile {{[0-9]+x[0-9]+x16}} S1{{.*}} r*[1, 0, 0, 0, 0, 0] + l*[0, 0, 1, 0, 0, 0] + k*[0, 0, 0, 0, 0, 1]
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void layer(int co, int ci, int h, int w, int k, int pad, const float *in, float *out, const float *weights) {
  for (int o = 0; o < co; o++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float s = 0;
        for (int c = 0; c < ci; c++)
          for (int e = 0; e < k; e++)
            for (int d = 0; d < k; d++) {
              int yy = y + e - pad, xx = x + d - pad;
              if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                s += in[(c * h + yy) * w + xx] * weights[((o * ci + c) * k + e) * k + d];
            }
        out[(o * h + y) * w + x] = s;
      }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20, k = argc > 2 ? atoi(argv[2]) : 3, co = 11, ci = 3;
  float *in = malloc(sizeof(float) * ci * n * n), *out = malloc(sizeof(float) * co * n * n), *weights = malloc(sizeof(float) * co * ci * k * k);
  for (int i = 0; i < ci * n * n; i++)
    in[i] = i * 7919 % 101 * .1f;
  for (int i = 0; i < co * ci * k * k; i++)
    weights[i] = i % 13 * .3f;
  layer(co, ci, n, n, k, k / 2, in, out, weights);
  double sum = 0;
  for (int i = 0; i < co * n * n; i++)
    sum = sum * .75 + out[i];
  printf("%.17g\n", sum);
}
