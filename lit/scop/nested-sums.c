// A sum over channels and a window that ends at the border of the image: LLVM has a value for each of the loops, which begins with that of the loop
// around and is taken back into it. They live in one cell: a sum, in front of which it begins and behind which it is stored.
// RUN: env "POLYTILE=dump=scop;stop-after=scop" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected

// CHECK: scop "layer
// CHECK: stmt S1
// CHECK-NEXT: iters L0 L1 L2 L3 L4 L5
// CHECK: stmt S2
// CHECK-NOT: stmt S3
__attribute__((noinline)) void layer(int channels, int n, int k, const float *restrict x, const float *restrict w, const float *restrict b,
                                     float *restrict y) {
  for (int o = 0; o < channels; o++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float s = b[o];
        for (int c = 0; c < channels; c++)
          for (int p = 0; p < k; p++)
            for (int q = 0; q < k; q++) {
              int at = i + p - k / 2, beside = j + q - k / 2;
              if (at >= 0 && at < n && beside >= 0 && beside < n)
                s += w[((o * channels + c) * k + p) * k + q] * x[(c * n + at) * n + beside];
            }
        y[(o * n + i) * n + j] = s > 0 ? s : .01f * s;
      }
}

#ifdef MAIN
#include <stdio.h>
int main(void) {
  static float x[4 * 15 * 15], w[4 * 4 * 5 * 5], b[4], y[4 * 15 * 15];
  for (int i = 0; i < 4 * 15 * 15; i++)
    x[i] = i % 23 * .1f - 1;
  for (int i = 0; i < 400; i++)
    w[i] = i % 17 * .1f - .8f;
  for (int k = 0; k <= 5; k++)
    for (int n = 0; n <= 15; n += 5) {
      layer(4, n, k, x, w, b, y);
      fwrite(y, sizeof y, 1, stdout);
    }
}
#endif
