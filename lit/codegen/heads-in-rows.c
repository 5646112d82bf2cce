// Heads of hs elements in rows of c: nothing says which of the two strides is the larger one, but the loop over elements ends at a head's length. Where
// heads do not fit into rows the original runs.
// RUN: %clang -O3 -march=native -ffp-contract=off -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 POLYTILE_VERBOSE=1 %t.new 2>%t.runs | cmp - %t.expected
// RUN: FileCheck --check-prefix=RUNS %s < %t.runs
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.all
// RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
// CHECK: loop nest transformed
// RUNS: backward: new version {{[1-9]}}
#include <stdio.h>
enum { T = 70, C = 96 };
static float value[T * 3 * C + 9 * C], dvalue[T * 3 * C + 9 * C], dout[T * C + 9 * C], att[8 * T * T], datt[8 * T * T];

__attribute__((noinline)) void backward(float *restrict dvalue, float *restrict datt, const float *restrict dout, const float *restrict value,
                                        const float *restrict att, int t, int c, int heads, int hs) {
  for (int i = 0; i < t; i++)
    for (int h = 0; h < heads; h++)
      for (int k = 0; k <= i; k++)
        for (int e = 0; e < hs; e++) {
          datt[h * t * t + i * t + k] += value[k * 3 * c + h * hs + 2 * c + e] * dout[i * c + h * hs + e];
          dvalue[k * 3 * c + h * hs + 2 * c + e] += att[h * t * t + i * t + k] * dout[i * c + h * hs + e];
        }
}

static void fill(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = (float)(i % 23) * 0.125f - 1;
}

int main(void) {
  int lengths[][3] = {{C, 8, C / 8}, {C, 4, C / 4}, {C, 8, C}, {C / 4, 8, C / 4}, {1, 3, 5}};
  for (int k = 0; k < 5; k++) {
    fill(value, sizeof value / 4), fill(dvalue, sizeof dvalue / 4), fill(dout, sizeof dout / 4), fill(att, sizeof att / 4), fill(datt, sizeof datt / 4);
    backward(dvalue, datt, dout, value, att, T, lengths[k][0], lengths[k][1], lengths[k][2]);
    float sum = 0;
    for (int i = 0; i < 8 * T * T; i++)
      sum = sum * 0.5f + datt[i];
    for (int i = 0; i < T * 3 * C + 9 * C; i++)
      sum = sum * 0.5f + dvalue[i];
    printf("%a\n", sum);
  }
}
