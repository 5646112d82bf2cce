// Sums of absolute differences of bytes, unrolled row by row: the compiler packs such a row into two instructions, as it sees which elements lie side by side, whatever
// may wrap in front of them. On one thread nothing is faster, and the original runs.
//
// RUN: %clang -O3 -march=x86-64-v3 -fopenmp %s -o %t
// RUN: %plainclang -O1 %s -o %t.plain
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
//
// CHECK-NOT: search: new version {{[1-9]}}
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int search(const uint8_t *a, const uint8_t *b, int w, int by, int bx, int r, int *dy, int *dx) {
  int best = 1 << 30;
  for (int y = -r; y <= r; y++)
    for (int x = -r; x <= r; x++) {
      int sum = 0;
      for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
          sum += abs(a[(by + i) * w + bx + j] - b[(by + y + i) * w + bx + x + j]);
      if (sum < best) {
        best = sum;
        *dy = y;
        *dx = x;
      }
    }
  return best;
}

int main(void) {
  int w = 160, h = 96, dy = 0, dx = 0;
  uint8_t *a = malloc(w * h), *b = malloc(w * h);
  unsigned long sum = 0;
  for (int i = 0; i < w * h; i++)
    a[i] = (i % w * 7 + i / w * 3) ^ (i * 2654435761u >> 28);
  for (int i = 0; i < w * h; i++)
    b[i] = a[(i + 3 * w + 5) % (w * h)];
  for (int by = 16; by < h - 32; by += 16)
    for (int bx = 16; bx < w - 32; bx += 16) {
      sum = sum * 31 + search(a, b, w, by, bx, 7, &dy, &dx);
      sum = sum * 31 + dy * 16 + dx;
    }
  printf("%lu\n", sum);
}
