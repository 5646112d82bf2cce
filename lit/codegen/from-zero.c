// Loops that begin at the greater of two numbers: with the place in a window, or the element itself, as the iterator, subscripts have no cases.
// RUN: env "POLYTILE=dump=scop;only=box" %clang -O3 -march=x86-64-v3 -ffp-contract=off -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: env "POLYTILE=dump=scop;only=banded" %clang -O3 -march=x86-64-v3 -ffp-contract=off -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=BAND
// RUN: env "POLYTILE=dump=ast;only=product" %clang -O3 -march=x86-64-v3 -ffp-contract=off -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: %plainclang -O3 -march=native -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <string.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define N 70
static double a[N * N], b[N * N], c[4 * N];
static int d[N + 1][N + 1];

// WINDOW: read { S[[S:[0-9]+]][i0, i1, i2, i3] -> M{{[0-9]+}}_{{[a-z_0-9]+}}[-{{p[a-z0-9_]+}} + i0 + i2, -{{p[a-z0-9_]+}} + i1 + i3] }
__attribute__((noinline)) void box(const double *from, double *to, int w, int h, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double s = 0;
      for (int j = MAX(0, y - r); j <= MIN(h - 1, y + r); j++)
        for (int i = MAX(0, x - r); i <= MIN(w - 1, x + r); i++)
          s += from[j * w + i];
      to[y * w + x] = s * .1;
    }
}

// PRODUCT: tile {{[0-9]+}}x{{[0-9]+}}x4
__attribute__((noinline)) void product(const double *x, int n, const double *y, int m, double *z) {
  for (int k = 0; k < n + m - 1; k++) {
    double s = 0;
    for (int i = MAX(0, k - m + 1); i <= MIN(k, n - 1); i++)
      s += x[i] * y[k - i];
    z[k] = s;
  }
}

// BAND: domain { S{{[0-9]}}[i0, i1] : {{.*}} and i1 >= 0{{.*}} }
// BAND: write { S{{[0-9]}}[i0, i1] -> M{{[0-9]+}}_d[1 + i0, 1 + i1] }
__attribute__((noinline)) void banded(int n, int r) {
  for (int i = 0; i < n; i++)
    for (int j = MAX(0, i - r); j < MIN(n, i + r + 1); j++)
      d[i + 1][j + 1] = MIN(d[i][j], MIN(d[i + 1][j], d[i][j + 1]) + 3) + (i * 7 + j * 5) % 11;
}

static unsigned digest(const void *p, size_t bytes) {
  unsigned h = 0;
  for (size_t i = 0; i < bytes; i++)
    h = h * 31 + ((const unsigned char *)p)[i];
  return h;
}
int main(void) {
  const int sizes[] = {0, 1, 2, 5, 16, 33, 70}, widths[] = {-2, -1, 0, 1, 2, 3, 9, 40, 100};
  for (int s = 0; s < 7; s++)
    for (int t = 0; t < 9; t++) {
      int n = sizes[s], r = widths[t];
      for (int i = 0; i < N * N; i++)
        a[i] = (i * 7919 >> 3 & 255) * .37, b[i] = -1;
      box(a, b, n, sizes[(s + 2) % 7], r);
      memset(c, 0, sizeof c);
      product(a, n, a + 80, r, c);
      for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
          d[i][j] = (i * 37 + j * 17) % 101;
      banded(n, r);
      printf("%d %d %u %u %u\n", n, r, digest(b, sizeof b), digest(c, sizeof c), digest(d, sizeof d));
    }
}
