// A row of a window whose neighbours the next step takes: in one loop, each vector would lie across two that were stored a moment ago and wait until
// they are in the cache. The steps have loops of their own.
// RUN: env "POLYTILE=dump=ast;select=model" %clang -O3 -march=znver3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdlib.h>

// CHECK: private A1
// CHECK: S0(c0, {{c[0-9]+}}, {{c[0-9]+}});
// CHECK: S0(c0, [[R:c[0-9]+]], {{c[0-9]+}});
// CHECK-NEXT: // vector
// CHECK-NEXT: for ([[X:c[0-9]+]] = 0;
// CHECK-NEXT: S1(c0, [[R]], [[X]]);
void laplace(int h, int w, float in[h][w], float out[h][w]) {
  float(*t)[w] = malloc(sizeof(float) * h * w);
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      t[y][x] = 0.25f * (in[y][x - 1] + in[y][x + 1] + in[y - 1][x] + in[y + 1][x]);
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++)
      out[y][x] = in[y][x] - 0.5f * t[y][x] - 0.125f * (t[y][x - 1] + t[y][x + 1] + t[y - 1][x] + t[y + 1][x]);
  free(t);
}

#ifdef MAIN
#include <stdio.h>
int main(void) {
  enum { H = 150, W = 77 };
  static float in[H][W], out[H][W];
  for (int i = 0; i < H * W; i++)
    in[0][i] = i * 7919 % 101 / 8.f;
  laplace(H, W, in, out);
  unsigned long sum = 0;
  for (unsigned i = 0; i < sizeof out; i++)
    sum = (sum ^ ((unsigned char *)out)[i]) * 1099511628211UL;
  printf("%lx\n", sum);
}
#endif
