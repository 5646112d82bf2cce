// A filter over an image of interleaved colours: the loop over three colours is unrolled, and the compiler hands weights on from colour to colour, as
// it takes the stores for writes of them. The weights are read where they are used, the colours rolled up, and columns and colours
// one loop over elements that lie side by side, which the original has no lanes for: it runs on one thread as well.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2> %t.told | cmp - %t.expected
// RUN: FileCheck --check-prefix=TOLD %s < %t.told
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
// CHECK: // parallel
// CHECK-NEXT: for
// CHECK-NEXT: // vector
// CHECK-NEXT: for (c1 = 0; c1 <= ((3 * p1) - 7); c1 += 1)
// CHECK-NEXT: S0(c0, c1);
// TOLD: filter: new version 1
__attribute__((noinline)) void filter(int w, int h, const unsigned char *restrict in, unsigned char *restrict out, const float *restrict k) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      for (int c = 0; c < 3; c++) {
        float s = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            s += in[((y + dy) * w + x + dx) * 3 + c] * k[(dy + 1) * 3 + dx + 1];
        out[(y * w + x) * 3 + c] = s < 0 ? 0 : s > 255 ? 255 : s;
      }
}

int main(void) {
  enum { W = 150, H = 90 };
  unsigned char *in = malloc(W * H * 3), *out = calloc(W * H, 3);
  for (int i = 0; i < W * H * 3; i++)
    in[i] = i * 37 % 251;
  float k[9] = {.5, -.25, .125, -.5, 1.5, -.5, .125, .25, -.125};
  filter(W, H, in, out, k);
  fwrite(out, 3, W * H, stdout);
}
