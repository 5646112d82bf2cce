// A layer over pixels with all channels beside each other, whose windows move by a stride: what lies between the rows and pixels of a window (`w*c`, and `c`)
// is no stride of a loop, since the loops over the window are unrolled. The array is only read, so that these products are numbers of elements.
// RUN: %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -Rpass=polytile %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// CHECK: pixels.c:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}} register tile
__attribute__((noinline)) void layer(int n, int h, int w, int c, int k, int stride, int oh, int ow, const float *x, const float *f,
                                     float *y) {
  for (int b = 0; b < n; b++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++)
        for (int o = 0; o < k; o++) {
          float sum = 0;
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
              for (int d = 0; d < c; d++)
                sum += x[((b * h + i * stride + r) * w + j * stride + q) * c + d] * f[((r * 3 + q) * c + d) * k + o];
          y[((b * oh + i) * ow + j) * k + o] = sum;
        }
}

int main(void) {
  for (int n = 3; n <= 11; n += 4)
    for (int stride = 1; stride <= 3; stride++) {
      int c = n - 2, k = n + 5, o = (n - 3) / stride + 1;
      float *x = malloc(4 * n * n * c * 2), *f = malloc(4 * 9 * c * k), *y = calloc(o * o * k * 2, 4);
      for (int i = 0; i < n * n * c * 2; i++)
        x[i] = i * 37 % 101 * .25f - 9;
      for (int i = 0; i < 9 * c * k; i++)
        f[i] = i * 53 % 97 * .5f - 20;
      layer(2, n, n, c, k, stride, o, o, x, f, y);
      fwrite(y, 4, o * o * k * 2, stdout);
      free(x);
      free(f);
      free(y);
    }
}
