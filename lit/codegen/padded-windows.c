// Windows with zeros around an image: what hands a sum on from one condition to the next is computed at the rim only, where it is read, and the
// interior is a loop of its own.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__((noinline))

// CHECK-DAG: padded-windows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} parallel loop
OWN void blur(int w, int h, const float *in, float *out, const float *weight) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
            sum += weight[(dy + 1) * 3 + dx + 1] * in[(y + dy) * w + x + dx];
      out[y * w + x] = sum;
    }
}

// CHECK-DAG: padded-windows.c:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}} parallel loop
OWN void bytes(int w, int h, const unsigned char *in, unsigned char *out) {
  static const int weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy >= 0 && yy < h && xx >= 0 && xx < w)
            sum += weight[dy + 1][dx + 1] * in[yy * w + xx];
        }
      out[y * w + x] = sum / 16;
    }
}

// CHECK-DAG: padded-windows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} parallel loop
OWN void wide(int w, int h, const float *in, float *out, const float *weight, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy >= 0 && yy < h && xx >= 0 && xx < w)
            sum += weight[(dy + r) * (2 * r + 1) + dx + r] * in[yy * w + xx];
        }
      out[y * w + x] = sum;
    }
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 4, 7, 33, 130};
  float weight[49];
  for (int i = 0; i < 49; i++)
    weight[i] = (i * 7 % 5 + 1) / 16.f;
  for (int s = 0; s < 8; s++)
    for (int t = 0; t < 8; t++) {
      int w = sizes[s], h = sizes[t], cells = w * h;
      float *in = calloc(cells + 1, sizeof *in), *out = calloc(cells + 1, sizeof *out);
      unsigned char *result = (unsigned char *)out;
      unsigned long sum = 0;
      for (int i = 0; i < cells; i++)
        in[i] = i * 7919 % 101 / 8.f;
      for (int r = 0; r < 5; r++) {
        if (r < 3)
          wide(w, h, in, out, weight, r);
        else if (r == 3)
          blur(w, h, in, out, weight);
        else
          bytes(w, h, (unsigned char *)in, result);
        for (int i = 0; i < 4 * cells; i++)
          sum = (sum ^ result[i]) * 1099511628211UL;
      }
      printf("%d %d %lx\n", w, h, sum);
      free(in), free(out);
    }
}
