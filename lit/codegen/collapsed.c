// One loop over the elements of several dimensions is several loops: its quotients and remainders are counters.
// RUN: env POLYTILE="stop-after=scop;dump=scop" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stddef.h>
#pragma STDC FP_CONTRACT OFF
#define NI __attribute__((noinline))

// CHECK: scop "image
// CHECK: domain { S{{[0-9]}}[i0, i1] :
NI void image(int w, int h, const float *restrict a, float *restrict b) {
  for (int p = 0; p < w * h; p++) {
    int x = p % w, y = p / w;
    b[p] = a[(h - 1 - y) * w + x] + a[y * w + (w - 1 - x)];
  }
}

// The rim of the grid is apart from the inside.
// CHECK: scop "box
// CHECK: domain { S{{[0-9]}}[i0, i1, i2] : 0 < i0 <= -2 + {{.*}} and 0 < i1 <= -2 + {{.*}} and 0 < i2 <= -2 + {{[^;]*}} }
NI void box(int nx, int ny, int nz, const double *restrict a, double *restrict b) {
  for (int p = 0; p < nx * ny * nz; p++) {
    int k = p % nz, j = (p / nz) % ny, i = p / (ny * nz);
    if (i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1)
      b[p] = a[p];
    else
      b[p] = a[p - 1] + a[p + 1] + a[p - nz] + a[p + nz] + a[p - ny * nz] + a[p + ny * nz];
  }
}

// So it is where data decides inside.
// CHECK: scop "life
// CHECK: domain { S{{[0-9]}}[i0, i1] : 0 < i0 <= -2 + {{[^;]*}} and 0 < i1 <= -2 + {{[^;]*}} }
NI void life(int w, int h, const int *restrict a, int *restrict b) {
  for (int p = 0; p < w * h; p++) {
    int x = p % w, y = p / w;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
      b[p] = 0;
      continue;
    }
    int n = a[p - 1] + a[p + 1] + a[p - w] + a[p + w] + a[p - w - 1] + a[p - w + 1] + a[p + w - 1] + a[p + w + 1];
    b[p] = n == 3 || (n == 2 && a[p]);
  }
}

// Loops inside, a sum that goes along, and a count that may be no product: the loop runs as it is where it is none.
// CHECK: scop "product
// CHECK: domain { S{{[0-9]}}[i0, i1, i2] :
NI double product(size_t n, size_t count, size_t l, const double *restrict a, const double *restrict b, double *restrict c) {
  double last = 0;
  for (size_t p = 0; p < count; p++) {
    size_t i = p / n, j = p % n;
    double s = 0;
    for (size_t k = 0; k < l; k++)
      s += a[i * l + k] * b[k * n + j];
    c[p] = s;
    last = s - last;
  }
  return last;
}

// Quotients by constants are affine as they are.
// CHECK: scop "blocks
// CHECK: domain { S0[i0] :
NI void blocks(int n, double (*restrict a)[8]) {
  for (int p = 0; p < n; p++)
    a[p / 8][p % 8] += 1;
}

#ifdef MAIN
#include <stdio.h>
enum { N = 4000 };
static float fa[N], fb[N];
static double a[N], b[N], c[N];
static int ia[N], ib[N];

int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {1, 7, 2}, {7, 1, 3}, {5, 0, 4}, {0, 5, 2}, {16, 9, 8}, {13, 17, 11}, {-3, -4, 2}};
  for (int t = 0; t < 8; t++) {
    int w = sizes[t][0], h = sizes[t][1], d = sizes[t][2];
    for (int i = 0; i < N; i++)
      fa[i] = i * 7 % 23, fb[i] = 0, a[i] = i * 5 % 19, b[i] = i * 3 % 17, c[i] = i % 5, ia[i] = i * 7919 % 5 < 2, ib[i] = -1;
    image(w, h, fa + 100, fb + 100);
    box(w, h, d, a + 300, b + 300);
    life(w, h, ia + 100, ib + 100);
    double last = w > 0 ? product(w, h > 0 ? w * h + t % 3 : 0, d, a, b + 1, c) : 0;
    blocks(w > 0 ? w : 0, (void *)c);
    printf("%a\n", last);
    for (int i = 0; i < N; i++)
      printf("%g %a %a %d\n", fb[i], b[i], c[i], ib[i]);
  }
}
#endif
