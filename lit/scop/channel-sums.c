// Sums of channels that lie side by side, as the filters of pictures and of sound have them: the loop over the channels is unrolled, each copy has inner loops and
// a scalar of its own. They are one sum over all elements, in lanes of elements side by side.
//
// RUN: %clang -O3 -march=x86-64-v4 -g1 -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: for n in 3 5 9 40 101; do %t.plain $n; done > %t.expected
// RUN: for n in 3 5 9 40 101; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 3 5 9 40 101; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int16_t saturated(int32_t x) { return x > 32767 ? 32767 : x < -32768 ? -32768 : x; }

__attribute__((noinline)) void filter(const int16_t *restrict in, int16_t *restrict out, int frames, const int16_t *restrict taps, int n) {
  // CHECK: channel-sums.c:[[@LINE+1]]:3: remark: loop nest transformed: 3 statements, {{.*}} vector loop
  for (int i = n; i < frames; i++)
    for (int c = 0; c < 2; c++) {
      int32_t sum = 1 << 14;
      for (int k = 0; k < n; k++)
        sum += in[2 * (i - k) + c] * taps[k];
      out[2 * i + c] = saturated(sum >> 15);
    }
}

__attribute__((noinline)) void blur(const uint8_t *restrict in, uint8_t *restrict out, int w, int h, int r, const float *restrict k) {
  // CHECK: channel-sums.c:[[@LINE+1]]:3: remark: loop nest transformed: 3 statements, {{.*}} vector loop
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++)
      for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (int dy = -r; dy <= r; dy++)
          for (int dx = -r; dx <= r; dx++)
            sum += in[((y + dy) * w + x + dx) * 3 + c] * k[(dy + r) * (2 * r + 1) + dx + r];
        out[(y * w + x) * 3 + c] = sum < 0 ? 0 : sum > 255 ? 255 : (uint8_t)sum;
      }
}

// A scalar that the next iteration takes over is none of one iteration.
__attribute__((noinline)) void carried(const float *restrict in, float *restrict out, int n, int m) {
  float a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++)
      a = a * .5f + in[2 * (i + k)];
    out[2 * i] = a;
    for (int k = 0; k < m; k++)
      b = b * .5f + in[2 * (i + k) + 1];
    out[2 * i + 1] = b;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50, r = n > 8 ? 2 : 1, size = n * (n + 4) * 3;
  int16_t *sound = malloc(2 * size), *filtered = calloc(2, size), taps[7];
  uint8_t *picture = malloc(size), *blurred = calloc(1, size);
  float k[25], *x = malloc(4 * size), *y = calloc(4, size);
  unsigned long sum = 0;
  for (int i = 0; i < size; i++) {
    sound[i] = (i * 2654435761u >> 16) - 32768;
    picture[i] = i * 2654435761u >> 24;
    x[i] = i % 13 * .1f;
  }
  for (int i = 0; i < 7; i++)
    taps[i] = i * (7 - i) * 500;
  for (int i = 0; i < 25; i++)
    k[i] = 1.f / 25 + (i % 3 - 1) * .01f;
  filter(sound, filtered, size / 2, taps, 7);
  blur(picture, blurred, n + 4, n, r, k);
  carried(x, y, size / 2 - 5, 4);
  for (int i = 0; i < size; i++)
    sum = sum * 31 + (uint16_t)filtered[i] + blurred[i] + (unsigned)(y[i] * 64);
  printf("%d %lu\n", n, sum);
}
