// Sizes that are sums of several values (`h - r + 1`, `x1 - x0 + 6`), in 32 bits, in 64, times a constant: one size however they are
// written, related to what they are made of, and sizes with which they wrap run the original.
// RUN: %clang -O2 -fwrapv -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <limits.h>
#include <stdio.h>
#define NI __attribute__((noinline))

// Valid positions of a window.
// CHECK: scop "layer
// CHECK: write { S{{[0-9]}}[i0, i1, i2, i3] -> M{{[0-9]}}_out[i0, i1, i2, i3] }
NI void layer(const float *in, const float *w, const float *bias, float *out, int images, int c, int h, int wd, int k, int r) {
  int oh = h - r + 1, ow = wd - r + 1;
  for (int n = 0; n < images; n++)
    for (int f = 0; f < k; f++)
      for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
          float s = bias[f];
          for (int d = 0; d < c; d++)
            for (int i = 0; i < r; i++)
              for (int j = 0; j < r; j++)
                s += in[((n * c + d) * h + y + i) * wd + x + j] * w[((f * c + d) * r + i) * r + j];
          out[((n * k + f) * oh + y) * ow + x] = s > 0 ? s : 0;
        }
}

// Rows between two bounds, both arguments; one array is addressed in `long`.
// CHECK: scop "between
// CHECK: param [[SIZE:p_size_0]]
// CHECK-NOT: p_size_1
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_to[i0, i1] }
// CHECK: read { S0[i0, i1] -> M{{[0-9]}}_from[1 + i0, 2 + i1] }
NI void between(int x0, int x1, int rows, const double *restrict from, double *restrict to) {
  long wide = (long)x1 - x0 + 3;
  for (int j = 0; j < rows; j++)
    for (int i = x0; i < x1; i++)
      to[(long)j * wide + (i - x0)] = from[(j + 1) * (x1 - x0 + 3) + (i - x0) + 2] * .5;
}

// Two sizes that differ by their constants only, and by their signs.
// CHECK: scop "borders
// CHECK: write {
NI void borders(int lo, int hi, int rows, const int *restrict a, int *restrict b) {
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < hi - lo; i++)
      b[j * (hi - lo + 2) + i + 1] = a[j * (hi - lo) + i] + a[(rows - j) * (hi - lo) - i - 1];
}

#ifdef MAIN
#define N 40000
static float f[N], g[N], h[N];
static double a[N], b[N];
static int p[N], q[N];
static void fill(void) {
  for (int i = 0; i < N; i++) {
    f[i] = i * 37 % 101 * .25f - 9;
    g[i] = i * 53 % 97 * .5f - 20;
    h[i] = 0;
    a[i] = i * 29 % 251;
    b[i] = 0;
    p[i] = i * 31 % 257;
    q[i] = 0;
  }
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * .75 + h[i] + b[i] * 3 + q[i];
  printf("%.17g\n", s);
}
int main(void) {
  static const int windows[] = {0, 1, 3, 5, 19, 20, 21, INT_MAX, INT_MIN};
  for (int i = 0; i < 9; i++)
    for (int size = 0; size < 22; size += 7)
      fill(), layer(f, g, g + 100, h, 2, 3, size, size + 4, 4, windows[i]), show();
  // The size of a row wraps: no position is left.
  fill(), layer(f, g, g, h, 2, 3, INT_MAX, 10, 4, -1), show();
  static const int ends[][2] = {{0, 0}, {0, 1}, {-7, 60}, {90, 131}, {5, -5}, {INT_MAX - 20, INT_MAX}, {INT_MIN, INT_MIN + 33}};
  for (int i = 0; i < 7; i++)
    for (int rows = 0; rows < 90; rows += rows < 3 ? 1 : 43) {
      fill(), between(ends[i][0], ends[i][1], rows, a, b), show();
      fill(), borders(ends[i][0], ends[i][1], rows, p, q), show();
    }
}
#endif
