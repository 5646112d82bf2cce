// A channel of a layer with zero padding: the last row stands beside the loop over all others, and both run in lanes with contracted conditions. In the
// parallel loop each thread has panels of its own, which the last row does not share.
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=fusion=none;min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.omp 2>&1 | FileCheck --allow-empty %s
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// CHECK-NOT: internal error
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void layer(int co, int ci, int h, int w, const float *in, float *out, const float *k) {
  for (int o = 0; o < co; o++) {
    for (int i = 0; i < h * w; i++)
      out[o * h * w + i] = 0;
    for (int c = 0; c < ci; c++)
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
          float s = 0;
          for (int e = -1; e <= 1; e++)
            for (int d = -1; d <= 1; d++) {
              int yy = y + e, xx = x + d;
              if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                s += in[(c * h + yy) * w + xx] * k[((o * ci + c) * 3 + e + 1) * 3 + d + 1];
            }
          out[(o * h + y) * w + x] += s;
        }
  }
}
int main(void) {
  static const int sizes[] = {1, 2, 3, 17, 40};
  for (int t = 0; t < 5; t++) {
    int n = sizes[t], co = 3, ci = 2;
    float *in = malloc(sizeof(float) * ci * n * n), *out = malloc(sizeof(float) * co * n * n), k[3 * 2 * 9];
    for (int i = 0; i < ci * n * n; i++)
      in[i] = i * 7919 % 101 * .1f;
    for (int i = 0; i < 54; i++)
      k[i] = i % 13 * .3f;
    layer(co, ci, n, n, in, out, k);
    double sum = 0;
    for (int i = 0; i < co * n * n; i++)
      sum = sum * .75 + out[i];
    printf("%d %.17g\n", n, sum);
    free(in);
    free(out);
  }
}
