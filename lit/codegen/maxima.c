// Maxima over windows have few elements, whatever their size is called: no strips. Those of rows have lanes of rows, as sums have.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v3 -fopenmp -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK-NOT: // strips
// CHECK: S1(c0, c1, c2, c3, c4);
__attribute__((noinline)) void pool(int c, int h, int w, int r, int s, const float *x, float *y) {
  int oh = (h - r) / s + 1, ow = (w - r) / s + 1;
  for (int k = 0; k < c; k++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        float most = -INFINITY;
        for (int p = 0; p < r; p++)
          for (int q = 0; q < r; q++) {
            float t = x[(k * h + i * s + p) * w + j * s + q];
            if (t > most)
              most = t;
          }
        y[(k * oh + i) * ow + j] = most;
      }
}

// CHECK: tile 1x2x8 S1
__attribute__((noinline)) void rows(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float most = x[i * m];
    for (int j = 1; j < m; j++)
      if (x[i * m + j] > most)
        most = x[i * m + j];
    y[i] = most;
  }
}

int main(void) {
  int n = 150;
  float *x = malloc(2 * n * n * sizeof *x), *y = calloc(2 * n * n, sizeof *y);
  for (int i = 0; i < 2 * n * n; i++)
    x[i] = i * 37 % 10007 * .25f - 900;
  static const int sizes[] = {1, 2, 3, 15, 16, 17, 63, 64, 65, 130};
  for (int s = 1; s <= 3; s++)
    for (int i = 0; i < 10; i++) {
      pool(2, n, n, sizes[i], s, x, y);
      fwrite(y, sizeof *y, 2 * n * n, stdout);
    }
  for (int i = 1; i < 140; i += 7) {
    rows(n, i, x, y);
    fwrite(y, sizeof *y, n, stdout);
  }
  free(x);
  free(y);
}
