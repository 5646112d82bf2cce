// Sums over windows keep their order, and nothing is reused across a whole row or lane: one of the independent loops around them runs in vector
// lanes, the others stay around it. Windows of floats and of bytes, whose bounds move with the pixel, with strides, of extrema, in
// several channels, and sums that are added to what is there; sizes that leave lanes over, none at all.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.lanes
// RUN: env OMP_NUM_THREADS=3 %t.lanes | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.lanes | cmp - %t.expected
// RUN: env "POLYTILE=dump=ast;only=layer" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=AST %s
//
typedef unsigned char byte;

// CHECK: windows.c:[[@LINE+2]]:3: remark: loop nest transformed: 2 statements, 1 parallel loop, 1 vector loop
void convolve(int h, int w, int k, const float *restrict in, const float *restrict taps, float *restrict out) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int y = 0; y < k; y++)
        for (int x = 0; x < k; x++)
          s += taps[y * k + x] * in[(i + y) * (w + k) + j + x];
      out[i * w + j] = s;
    }
}

// CHECK: windows.c:[[@LINE+2]]:3: remark: loop nest transformed: 3 statements, 1 parallel loop, 2 vector loops
void box(int h, int w, int r, const byte *restrict in, byte *restrict out) {
  for (int i = r; i < h - r; i++)
    for (int j = r; j < w - r; j++) {
      int s = 0;
      for (int y = i - r; y <= i + r; y++)
        for (int x = j - r; x <= j + r; x++)
          s += in[y * w + x];
      out[i * w + j] = s / ((2 * r + 1) * (2 * r + 1));
    }
}

// CHECK: windows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 parallel loop, 1 vector loop
void erode(int h, int w, int r, const byte *restrict in, byte *restrict out) {
  for (int i = r; i < h - r; i++)
    for (int j = r; j < w - r; j++) {
      byte least = 255;
      for (int y = -r; y <= r; y++)
        for (int x = -r; x <= r; x++)
          least = in[(i + y) * w + j + x] < least ? in[(i + y) * w + j + x] : least;
      out[i * w + j] = least;
    }
}

// Every second pixel: lanes lie apart.
// CHECK: windows.c:[[@LINE+2]]:3: remark: loop nest transformed: 2 statements, 1 parallel loop, 1 vector loop
void halved(int h, int w, int k, long step, const float *restrict in, const float *restrict taps, float *restrict out) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int y = 0; y < k; y++)
        for (int x = 0; x < k; x++)
          s += taps[y * k + x] * in[(i * step + y) * (w * step + k) + j * step + x];
      out[i * w + j] = s;
    }
}

// The scalar has a cell for each pixel, not for each pair of channels.
// CHECK: windows.c:[[@LINE+6]]:3: remark: loop nest transformed: 3 statements, 1 parallel loop, 1 vector loop
// AST: // parallel Static private
// AST: // {{[0-9]+}} x 16 lanes
// AST: S1(
// AST: S2(
void layer(long to, long from, long h, long w, long k, const float *restrict in, const float *restrict taps, float *restrict out) {
  for (long o = 0; o < to; o++)
    for (long c = 0; c < from; c++)
      for (long i = 0; i < h; i++)
        for (long j = 0; j < w; j++) {
          float s = 0;
          for (long y = 0; y < k; y++)
            for (long x = 0; x < k; x++)
              s += taps[((o * from + c) * k + y) * k + x] * in[(c * (h + k) + i + y) * (w + k) + j + x];
          out[(o * h + i) * w + j] += s;
        }
}

#ifdef MAIN
#include <stdio.h>
static float in[40000], taps[4000], out[4000];
static byte pixels[4000], eroded[4000];

static void show(const void *p, int n, int size) {
  unsigned long long hash = 1469598103934665603u;
  for (int i = 0; i < n * size; i++)
    hash = (hash ^ ((const byte *)p)[i]) * 1099511628211u;
  printf("%llx\n", hash);
}

int main(void) {
  for (int i = 0; i < 40000; i++)
    in[i] = i * 37 % 101 * .3f - 9;
  for (int i = 0; i < 4000; i++)
    taps[i] = i * 29 % 83 * .7f, pixels[i] = i * 53 % 251;
  for (int h = 0; h < 9; h += h < 3 ? 1 : 5)
    for (int w = 0; w < 150; w += w < 20 ? 1 : 37)
      for (int k = 0; k < 6; k += k < 3 ? 1 : 2) {
        convolve(h, w, k, in, taps, out), show(out, 4000, 4);
        box(h, w, k, pixels, eroded), show(eroded, 4000, 1);
        erode(h, w, k, pixels, eroded), show(eroded, 4000, 1);
        for (long step = 1; step < 4; step++)
          halved(h, w, k, step, in, taps, out), show(out, 4000, 4);
        layer(w % 3, k, h, w < 60 ? w : 60, k, in, taps, out), show(out, 4000, 4);
      }
}
#endif
