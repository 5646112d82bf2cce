// A layer of 64 sums of 256 terms, 16 microseconds in order, runs in lanes of sums: the cells of its sums are allocated in far less time.
// RUN: %clang -O3 -march=native -ffp-contract=on %s -lm -o %t.new
// RUN: %plainclang -O3 -march=native -ffp-contract=on %s -lm -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2> %t.said | diff %t.expected -
// RUN: FileCheck %s --input-file=%t.said
//
// CHECK: layer: new version 40
#include <math.h>
#include <stdio.h>
__attribute__((noinline)) void layer(int outputs, int inputs, float *h, const float *in, const float *w) {
  for (int i = 0; i < outputs; i++) {
    float sum = 0;
    for (int j = 0; j < inputs; j++) sum += in[j] * w[i * inputs + j];
    h[i] = 1 / (1 + expf(-sum));
  }
}
static float w[64 * 256], in[256], h[64];
int main(void) {
  for (int i = 0; i < 64 * 256; i++) w[i] = i % 11 * .013f - .06f;
  for (int t = 0; t < 40; t++) {
    for (int i = 0; i < 256; i++) in[i] = (i + t) % 7 * .1f;
    layer(64, 256, h, in, w);
  }
  for (int i = 0; i < 64; i++) printf("%a\n", h[i]);
}
