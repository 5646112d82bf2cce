// Windows whose radius is known at run time are small beside the image: what is inside of it is most of it. And lanes around the loops over the
// window are none that the original has, so that the gain is not by threads only.
// RUN: %clang -O3 -march=x86-64-v4 -ffp-contract=off %s -o %t
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t 300 1 3 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.omp
// RUN: for w in 1 5 40; do for r in 0 1 3 45; do for k in 0 2; do %t.plain $w $r $k; done; done; done > %t.expected
// RUN: for w in 1 5 40; do for r in 0 1 3 45; do for k in 0 2; do env OMP_NUM_THREADS=1 %t.omp $w $r $k; done; done; done | cmp - %t.expected
// RUN: for w in 1 5 40; do for r in 0 1 3 45; do for k in 0 2; do env OMP_NUM_THREADS=3 %t.omp $w $r $k; done; done; done | cmp - %t.expected
//
// CHECK-DAG: dilate: new version 1
// CHECK-DAG: blur: new version 1
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void dilate(int h, int w, int r, const unsigned char *in, unsigned char *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      unsigned char m = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          unsigned char v = in[(y + i) * w + x + j];
          if (v > m)
            m = v;
        }
      out[y * w + x] = m;
    }
}
// The radius comes from half a length, of which it is not known that it is positive.
__attribute__((noinline)) void blur(int h, int w, unsigned long length, const float *in, float *out, const float *taps) {
  int r = length / 2;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int d = -r; d <= r; d++) {
        int at = x + d < 0 ? 0 : x + d > w - 1 ? w - 1 : x + d;
        s += in[y * w + at] * taps[d + r];
      }
      out[y * w + x] = s;
    }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, r = argc > 2 ? atoi(argv[2]) : 1, kind = argc > 3 ? atoi(argv[3]) : 3;
  unsigned char *a = malloc(n * n), *b = calloc(n, n);
  float *f = malloc(sizeof(float) * n * n), *g = calloc(n * n, sizeof(float)), *taps = malloc(sizeof(float) * (2 * r + 1));
  for (int i = 0; i < n * n; i++) {
    a[i] = i * 7919 % 251;
    f[i] = i % 23 * .3f;
  }
  for (int d = 0; d <= 2 * r; d++)
    taps[d] = d % 5 * .11f;
  if (kind != 2)
    dilate(n, n, r, a, b);
  if (kind != 0)
    blur(n, n, 2 * r + 1, f, g, taps);
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum = sum * .75 + b[i] + g[i];
  printf("%.17g\n", sum);
}
