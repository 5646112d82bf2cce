// Every member of these nests carries a dependence: lanes lie along the diagonals. What lanes hand on is shifted from step to
// step, the first one reads memory, and columns are transposed before they are stored.
// RUN: env "POLYTILE=min-work=0;dump=ast" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=x86-64-v4 -mprefer-vector-width=512 -S -emit-llvm -fno-discard-value-names -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.auto && %t.auto | cmp - %t.expected
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=x86-64 -fopenmp -DMAIN %s -o %t.narrow
// RUN: %t.narrow | cmp - %t.expected
//
// What is in no square runs by rows, which are cut where that hides their chains; very long chains run by diagonals.
// AST: // diagonal of 1 x 16 lanes, rest by rows{{$}}
// AST: // diagonal of 2 x 8 lanes{{$}}
// AST: // diagonal of 2 x 8 lanes, rest by rows of 16
// AST-COUNT-3: // diagonal of {{[0-9]+}} x {{[0-9]+}} lanes, rest by rows of
//
//
// CHECK-LABEL: @align(
// CHECK: polytile.diagonals:
// CHECK: shufflevector <16 x i32> {{.*}} <i32 15, i32 16, i32 17,
// CHECK: store <16 x i32>
#pragma STDC FP_CONTRACT OFF
void align(int n, int m, int s[restrict n][m], const signed char *x, const signed char *y) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int same = s[i - 1][j - 1] + (x[i - 1] == y[j - 1] ? 3 : -1);
      int gap = (s[i - 1][j] > s[i][j - 1] ? s[i - 1][j] : s[i][j - 1]) - 2;
      s[i][j] = same > gap ? same : gap;
    }
}

void sweeps(int steps, int n, double a[restrict n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] +
                   a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9.0;
}

void backwards(int n, double a[restrict n][n]) {
  for (int i = n - 2; i > 0; i--)
    for (int j = n - 2; j > 0; j--)
      a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1]);
}

void up(int n, double a[restrict n][n]) {
  for (int i = n - 2; i > 0; i--)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1]);
}

void columns(int n, float r[restrict n][n], float b[restrict n][n]) {
  for (int j = 1; j < n; j++)
    for (int i = 1; i < n; i++)
      r[i][j] = b[i][j] - 0.25f * r[i - 1][j] - 0.5f * r[i][j - 1];
}

void triangle(int n, double a[restrict n][n]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j <= i; j++)
      a[i][j] = 0.3 * a[i - 1][j] + 0.5 * a[i][j - 1] + 0.1 * a[i][j];
}
#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const int sizes[] = {2, 3, 16, 17, 33, 49, 64, 131, 300};
  for (int s = 0; s < 9; s++) {
    int n = sizes[s], m = n + s;
    double *a = malloc(sizeof *a * n * n);
    float *f = malloc(sizeof *f * n * n), *g = malloc(sizeof *g * n * n);
    int *d = malloc(sizeof *d * n * m);
    signed char x[400], y[400];
    for (int i = 0; i < n * n; i++) {
      a[i] = (i * 7 + i / 13) % 31 * 0.37;
      f[i] = i % 17 * 0.21f;
      g[i] = i % 23 * 0.4f;
    }
    for (int i = 0; i < n * m; i++)
      d[i] = i * 5 % 57;
    for (int i = 0; i < 400; i++) {
      x[i] = (i * 7 + i / 3) % 4;
      y[i] = (i * 5 + i / 7) % 4;
    }
    align(n, m, (int (*)[m])d, x, y);
    sweeps(5, n, (double (*)[n])a);
    backwards(n, (double (*)[n])a);
    up(n, (double (*)[n])a);
    columns(n, (float (*)[n])f, (float (*)[n])g);
    triangle(n, (double (*)[n])a);
    fwrite(a, sizeof *a, n * n, stdout);
    fwrite(f, sizeof *f, n * n, stdout);
    fwrite(d, sizeof *d, n * m, stdout);
    free(a), free(f), free(g), free(d);
  }
}
#endif
