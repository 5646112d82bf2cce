// Rows and planes whose lengths are one value with different constants, and rows of a multiple of it and a constant: each length is a size.
// RUN: env POLYTILE='min-work=0;parallel-min-us=0' %clang -O2 -march=native -fopenmp -Rpass=polytile -Rpass-missed=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=2 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
#include <stdio.h>
#include <stdlib.h>

// CHECK: sizes-beside.c:[[@LINE+3]]:3: remark: loop nest transformed
__attribute__((noinline)) void turn(double *restrict a, const double *restrict b, int n) {
  int m = n + 1, l = n + 7;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        a[(i * m + j) * l + k] += b[(k * m + j) * n + i];
}

// CHECK: sizes-beside.c:[[@LINE+3]]:3: remark: loop nest transformed
__attribute__((noinline)) void seven(double *restrict a, const double *restrict b, long n) {
  long m = n + 4;
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      for (long k = 1; k < m - 1; k++)
        a[(i * n + j) * m + k] = b[(i * n + j) * m + k] + b[((i - 1) * n + j) * m + k] + b[(i * n + j + 1) * m + k + 1] - b[(i * n + j - 1) * m + k - 1];
}

// Three by three elements are added to each second row and column (a transposed convolution): the inner loops are unrolled.
// CHECK: sizes-beside.c:[[@LINE+3]]:3: remark: loop nest transformed
__attribute__((noinline)) void spread(const float *restrict in, const float *restrict k, float *restrict out, int c, int d, int h, int w) {
  int H = 2 * h + 1, W = 2 * w + 1;
  for (int p = 0; p < c; p++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        for (int q = 0; q < d; q++)
          for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
              out[(q * H + 2 * y + j) * W + 2 * x + i] += in[(p * h + y) * w + x] * k[((p * d + q) * 3 + j) * 3 + i];
}

static double *filled(int n) {
  double *p = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    p[i] = i * 7 % 31 / 8.0;
  return p;
}

static void run(int n) {
  int size = (n + 8) * (n + 8) * (n + 8), all = 4 * (2 * n + 1) * (2 * n + 3);
  double *a = filled(size), *b = filled(size), sum = 0;
  turn(a, b, n);
  seven(b, a, n);
  float *in = malloc(3 * n * (n + 1) * sizeof(float)), k[108], *out = calloc(all, sizeof(float));
  for (int i = 0; i < 3 * n * (n + 1); i++)
    in[i] = i % 13;
  for (int i = 0; i < 108; i++)
    k[i] = i % 5 - 2;
  spread(in, k, out, 3, 4, n, n + 1);
  for (int i = 0; i < size; i++)
    sum = sum * 0.999 + a[i] + b[i] * 2;
  for (int i = 0; i < all; i++)
    sum = sum * 0.999 + out[i];
  printf("%d %a\n", n, sum);
  free(a), free(b), free(in), free(out);
}

int main(void) {
  for (int n = 1; n < 40; n += n < 20 ? 1 : 9)
    run(n);
}
