// A variable for each stride: nothing says how long a row is, so what fits between two strides is a parameter, and rows are rows where
// subscripts stay below it. Strides of 0, negative ones, rows that overlap and strides in the other order run the original.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "smoothed
// CHECK: param [[FIT:p_fit_0]] = (udiv (mul {{8 pks|.*}}
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_o[1 + i0, 1 + i1, 1 + i2] }
// CHECK: read { S0[i0, i1, i2] -> M{{[0-9]}}_a[i0, 1 + i1, 1 + i2] }
NI void smoothed(double *restrict o, const double *restrict a, long n, long js, long ks) {
  for (long k = 1; k < n - 1; k++)
    for (long j = 1; j < n - 1; j++)
      for (long i = 1; i < n - 1; i++)
        o[i + j * js + k * ks] = a[i + j * js + (k - 1) * ks] + .5 * a[i + (j + 1) * js + k * ks];
}

// The same array is read and written: only different elements may run in any order.
// CHECK: scop "relaxed
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_a[1 + i0, 1 + i1, 1 + i2] }
NI void relaxed(double *a, int n, int js, int ks) {
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        a[k * ks + j * js + i] = .25 * (a[k * ks + j * js + i] + a[(k - 1) * ks + j * js + i] + a[k * ks + (j - 1) * js + i] + a[k * ks + j * js + i - 1]);
}

// A product with leading dimensions for all three, walked along columns of one.
// CHECK: scop "product
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_c[i0, i1] }
NI void product(int m, int n, int l, const float *restrict a, int lda, const float *restrict b, int ldb, float *restrict c, int ldc) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < l; k++)
        c[i * ldc + j] += a[i * lda + k] * b[k * ldb + j];
}

// Blocks of rows: one stride divides another, a third is independent.
// CHECK: scop "mixed
// CHECK: write { S0[i0, i1, i2, i3] -> M{{[0-9]}}_x[i0, i1, i2, i3] }
NI void mixed(float *x, const float *restrict y, int images, int channels, int h, int w, int pitch, int image) {
  for (int b = 0; b < images; b++)
    for (int c = 0; c < channels; c++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
          x[b * image + (c * h + i) * pitch + j] *= y[c];
}

// A margin of `g` cells on all sides, entered by what is added to all addresses: a row of each dimension, no size of its own.
// CHECK: scop "margined
// CHECK-NOT: p_size
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_o[pg_{{[0-9]}} + i0, pg_{{[0-9]}} + i1, pg_{{[0-9]}} + i2] }
NI void margined(double *restrict o, const double *restrict a, int n, int g, int js, int ks) {
  o += g * (1 + js + ks);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        o[i + j * js + k * ks] = 2 * a[i + j * js + k * ks];
}

// Only ranges of a row are written.
// CHECK: scop "cleared
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_o[i0, i1, i2] }
NI void cleared(double *o, long n, long js, long ks) {
  for (long k = 0; k < n; k++)
    for (long j = 0; j < n; j++)
      for (long i = 0; i < n; i++)
        o[i + j * js + k * ks] = 0;
}

#ifdef MAIN
#define N 20000
static double a[2 * N], b[2 * N];
static float f[2 * N], g[2 * N], h[2 * N];
static void fill(void) {
  for (int i = 0; i < 2 * N; i++) {
    a[i] = i * 37 % 101 * .25;
    f[i] = i * 53 % 97 * .5f;
    h[i] = i * 29 % 83;
    b[i] = g[i] = 0;
  }
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < 2 * N; i++)
    s = s * .75 + a[i] + b[i] + f[i] * 2 + g[i] * 3;
  printf("%.17g\n", s);
}
int main(void) {
  static const int strides[][2] = {{0, 0}, {1, 1}, {11, 121}, {16, 200}, {10, 99}, {12, 131}, {121, 11}, {7, 300}, {-11, 121}, {11, -121}, {-121, -11}, {0, 121}, {40, 10}, {13, 0}};
  for (int i = 0; i < 14; i++)
    for (int n = 0; n < 13; n += n < 4 ? 1 : 7) {
      int js = strides[i][0], ks = strides[i][1];
      fill(), smoothed(b + N, a + N, n, js, ks), show();
      fill(), relaxed(a + N, n, js, ks), show();
      fill(), product(n, n + 1, n + 2, f + N, js, h + N, ks, g + N, js + 1), show();
      fill(), margined(b + N, a + N, n, n & 3, js, ks), show();
      fill(), cleared(a + N, n, js, ks), show();
      fill(), mixed(f + N, h, 3, 2, n, n + 1, js, ks), show();
    }
}
#endif
