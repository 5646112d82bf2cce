// Pointers in structures that a window with padding does not come to at first: an inner loop, which writes nothing, goes on until it does. Where it never
// does nothing is read, and there may be nothing.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 POLYTILE_VERBOSE=1 %t.forced 2> %t.report | cmp - %t.expected
// RUN: FileCheck --check-prefix=REPORT --input-file=%t.report %s
#include <stdio.h>
#include <stdlib.h>

struct tensor {
  int channels, h, w;
  float *data;
};

// REPORT: layer: new version 65 ({{.*}}), original 28
// CHECK-DAG: later.c:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}} register tile
__attribute__((noinline)) void layer(const struct tensor *in, const struct tensor *weights, const float *bias, int k, int pad,
                                     struct tensor *out) {
  for (int o = 0; o < out->channels; o++)
    for (int y = 0; y < out->h; y++)
      for (int x = 0; x < out->w; x++) {
        float s = bias[o];
        for (int i = 0; i < in->channels; i++)
          for (int ky = 0; ky < k; ky++) {
            int iy = y - pad + ky;
            if (iy < 0 || iy >= in->h)
              continue;
            for (int kx = 0; kx < k; kx++) {
              int ix = x - pad + kx;
              if (ix < 0 || ix >= in->w)
                continue;
              s += in->data[(i * in->h + iy) * in->w + ix] * weights->data[((o * in->channels + i) * k + ky) * k + kx];
            }
          }
        out->data[(o * out->h + y) * out->w + x] = s > 0 ? s : 0;
      }
}

static struct tensor make(int channels, int h, int w) {
  struct tensor t = {channels, h, w, malloc(channels * h * w * sizeof(float))};
  for (int i = 0; i < channels * h * w; i++)
    t.data[i] = (i * 7 % 23 - 11) * .05f;
  return t;
}

int main(void) {
  float bias[9] = {.1f, -.2f, .3f};
  for (int h = 1; h < 12; h += 5)
    for (int w = 2; w < 20; w += 7)
      for (int k = 1; k < 5; k++)
        for (int pad = 0; pad < 3; pad++) {
          if (h + 2 * pad < k || w + 2 * pad < k)
            continue;
          struct tensor in = make(3, h, w), weights = make(9 * 3, k, k), out = make(9, h + 2 * pad - k + 1, w + 2 * pad - k + 1);
          layer(&in, &weights, bias, k, pad, &out);
          for (int i = 0; i < out.channels * out.h * out.w; i++)
            printf("%a ", out.data[i]);
          free(in.data);
          free(weights.data);
          free(out.data);
        }
  // No place of the window lies in the image.
  struct tensor in = make(3, 4, 4), out = make(9, 1, 1);
  layer(&in, (const struct tensor *)8, bias, 3, 5, &out);
  for (int i = 0; i < 9; i++)
    printf("%a ", out.data[i]);
}
