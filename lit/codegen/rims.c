// Neighbours that are there or not, as the loop's counter says. Where the compiler has no masked load for what the branch is around (a weight that stays the same,
// two bytes), its loop runs one by one: ours has no branches and is worth it on one thread. Where it masks, ours gains by threads alone.
// RUN: env POLYTILE=select=model %clang -O3 -march=x86-64-v3 -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.new large 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.forced
// RUN: %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected

// CHECK-DAG: polytile: weighted: new version 1 {{.*}}original 0
// CHECK-DAG: polytile: masked: new version 0 {{.*}}original 1; gains by threads only
__attribute__((noinline)) void weighted(long h, long w, const short *restrict in, short *restrict out, const short *restrict k) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++) {
      short s = 0;
      if (x >= 1)
        s += k[0] * in[y * w + x - 1];
      if (x < w - 1)
        s += k[1] * in[y * w + x + 1];
      out[y * w + x] = s;
    }
}

__attribute__((noinline)) void masked(long h, long w, const float *restrict in, float *restrict out) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++) {
      float s = 0;
      if (x >= 1)
        s += in[y * w + x - 1];
      if (x < w - 1)
        s += in[y * w + x + 1];
      out[y * w + x] = s;
    }
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
static void run(int r, long h, long w, float *in, float *out) {
  static const short k[2] = {3, -5};
  if (r)
    masked(h, w, in, out);
  else
    weighted(h, w, (short *)in, (short *)out, k);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    float *in = calloc(1 << 20, sizeof *in), *out = calloc(1 << 20, sizeof *out);
    run(0, 1000, 1000, in, out);
    run(1, 1000, 1000, in, out);
    free(in), free(out);
    return 0;
  }
  static const int sizes[] = {0, 1, 2, 3, 17, 130};
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) {
      long h = sizes[a], w = sizes[b], cells = h * w;
      float *in = calloc(cells + 1, sizeof *in), *out = calloc(cells + 1, sizeof *out);
      unsigned long sum = 0;
      for (long i = 0; i < cells; i++)
        in[i] = i * 7919 % 101 / 8.f;
      for (int r = 0; r < 2; r++) {
        run(r, h, w, in, out);
        for (long i = 0; i < cells * 4; i++)
          sum = (sum ^ ((unsigned char *)out)[i]) * 1099511628211UL;
      }
      printf("%ld %ld %lx\n", h, w, sum);
      free(in), free(out);
    }
}
#endif
