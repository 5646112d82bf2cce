// Sums whose lanes' cells lie a few elements apart: complex numbers as pairs, triples, one of four channels (in a triangle).
// The cells between belong to other statements or to nothing; they keep what they hold, and a thread may change them.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.tiled | cmp - %t.expected
// RUN: %plainclang -O1 -march=x86-64-v3 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=x86-64-v3 -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=2 MALLOC_PERTURB_=255 %t.tiled | cmp - %t.expected
//
// CHECK: remark: loop nest transformed: {{.*}}2 register tiles, 4 packed operands
// CHECK: remark: loop nest transformed: {{.*}}1 register tile
// CHECK: remark: loop nest transformed: {{.*}}1 register tile
#define N 67
void complex_product(int n, double (*restrict a)[N][2], double (*restrict b)[N][2], double (*restrict c)[N][2]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        c[i][j][0] += a[i][k][0] * b[k][j][0] - a[i][k][1] * b[k][j][1];
        c[i][j][1] += a[i][k][0] * b[k][j][1] + a[i][k][1] * b[k][j][0];
      }
}

void triples(int n, int (*restrict a)[N], int (*restrict b)[N], int (*restrict c)[3 * N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][3 * j + 1] += a[i][k] * b[k][j];
}

void channel(int n, float (*restrict a)[N], float (*restrict c)[N][4]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < i; k++)
        c[i][j][3] += a[k][i] * a[k][j];
}
#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
static double a[N][N][2], b[N][N][2], d[N][N][2];
static int e[N][N], f[N][N], g[N][3 * N];
static float x[N][N], y[N][N][4];
int main(void) {
  for (int n = 3; n <= N; n += 16) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        for (int s = 0; s < 2; s++) {
          a[i][j][s] = (i * 7 + j + s) % 31 * 0.125;
          b[i][j][s] = (i + j * 5 - s) % 29 * 1e-3;
          d[i][j][s] = i - j + s;
        }
        e[i][j] = i * 1000 - j;
        f[i][j] = j * 77777 + i;
        x[i][j] = (i * 3 + j * 5) % 23 * 0.1f;
        for (int s = 0; s < 3; s++)
          g[i][3 * j + s] = s - i;
        for (int s = 0; s < 4; s++)
          y[i][j][s] = s * 0.5f;
      }
    // The last cell is the last element of a block on the heap.
    int(*h)[3 * N] = malloc(sizeof g - sizeof(int));
    for (int i = 0; i < N * 3 * N - 1; i++)
      (*h)[i] = i;
    complex_product(n, a, b, d);
    triples(n, e, f, g);
    triples(n, f, e, h);
    channel(n, x, y);
    fwrite(d, sizeof d, 1, stdout);
    fwrite(g, sizeof g, 1, stdout);
    fwrite(h, sizeof g - sizeof(int), 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
    free(h);
  }
}
#endif
