// Windows that go on by a step which is known at run time only, and which may be clipped: the step is taken for one.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// Conditions say which value is the step. That some points lie outside is not assumed: without padding there are none. The sum lives in its element,
// though it is changed on its way there.
// CHECK-LABEL: function "padded"
// CHECK: assume no-trap { : pt{{.*}} = 1 }
// CHECK-NOT: assume no-wrap { : {{.*}} or
// CHECK: domain { S1[i0, i1, i2, i3, i4, i5] :
// CHECK: write { S1[i0, i1, i2, i3, i4, i5] -> {{M[^ ]*}}[i0, i1, i2] }
// CHECK: read { S1[i0, i1, i2, i3, i4, i5] -> {{M[^ ]*}}[i3, {{[^,]*}}i1 + i4, {{[^,]*}}i2 + i5] }
__attribute__((noinline)) void padded(const float *restrict in, const float *restrict weights, float *restrict out, int outs, int ins, int h,
                                      int w, int k, int pad, int step, int oh, int ow) {
  for (int o = 0; o < outs; o++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0.5f;
        for (int i = 0; i < ins; i++)
          for (int ky = 0; ky < k; ky++) {
            int iy = y * step - pad + ky;
            if (iy < 0 || iy >= h)
              continue;
            for (int kx = 0; kx < k; kx++) {
              int ix = x * step - pad + kx;
              if (ix < 0 || ix >= w)
                continue;
              s += in[(i * h + iy) * w + ix] * weights[((o * ins + i) * k + ky) * k + kx];
            }
          }
        out[(o * oh + y) * ow + x] = s > 0 ? s : 0;
      }
}

// Without padding any step will do.
// CHECK-LABEL: function "valid"
// CHECK-NOT: assume no-trap
// CHECK: read { S1[i0, i1, i2, i3, i4, i5] -> {{M[^ ]*}}[i1, i2, i3, i4, i5] }
__attribute__((noinline)) void valid(const float *restrict in, const float *restrict weights, float *restrict out, int outs, int ins, int h,
                                     int w, int k, int step) {
  int oh = (h - k) / step + 1, ow = (w - k) / step + 1;
  for (int o = 0; o < outs; o++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int i = 0; i < ins; i++)
          for (int ky = 0; ky < k; ky++)
            for (int kx = 0; kx < k; kx++)
              s += in[(i * h + y * step + ky) * w + x * step + kx] * weights[((o * ins + i) * k + ky) * k + kx];
        out[(o * oh + y) * ow + x] = s;
      }
}

// CHECK-LABEL: function "greatest"
// CHECK-NOT: assume no-trap
// CHECK-LABEL: function "blocks"
__attribute__((noinline)) void greatest(const float *restrict in, float *restrict out, int h, int w, int k, int step, int oh, int ow) {
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++) {
      float m = -1e30f;
      for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
          float v = in[(y * step + i) * w + x * step + j];
          m = v > m ? v : m;
        }
      out[y * ow + x] = m;
    }
}

// The length of a row is none.
// CHECK-NOT: assume no-trap
// CHECK: read { S0[i0, i1, i2] -> {{M[^ ]*}}[i0, i2] }
__attribute__((noinline)) void blocks(int n, int rows, double *restrict c, const double *restrict a, const double *restrict b) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

#ifdef MAIN
int main(void) {
  for (int h = 1; h < 8; h += 3)
    for (int w = 2; w < 22; w += 9)
      for (int k = 1; k < 5; k++)
        for (int pad = 0; pad < 3; pad++)
          for (int step = 1; step < 4; step++) {
            if (h + 2 * pad < k || w + 2 * pad < k)
              continue;
            int oh = (h + 2 * pad - k) / step + 1, ow = (w + 2 * pad - k) / step + 1, ins = 3, outs = 9;
            float *in = malloc(ins * h * w * sizeof *in), *weights = malloc(outs * ins * k * k * sizeof *weights);
            float *out = calloc(outs * oh * ow, sizeof *out);
            for (int i = 0; i < ins * h * w; i++)
              in[i] = i % 13 - 6;
            for (int i = 0; i < outs * ins * k * k; i++)
              weights[i] = i % 7 * 0.1f - 0.3f;
            padded(in, weights, out, outs, ins, h, w, k, pad, step, oh, ow);
            for (int i = 0; i < outs * oh * ow; i++)
              printf("%a ", out[i]);
            if (pad == 0) {
              valid(in, weights, out, outs, ins, h, w, k, step);
              greatest(in, out, h, w, k, step, oh, ow);
              for (int i = 0; i < outs * oh * ow; i++)
                printf("%a ", out[i]);
            }
            free(in);
            free(weights);
            free(out);
          }
  double a[35], b[49], c[35] = {0};
  for (int i = 0; i < 49; i++)
    a[i % 35] = b[i] = i % 5;
  blocks(7, 5, c, a, b);
  for (int i = 0; i < 35; i++)
    printf("%a ", c[i]);
}
#endif
