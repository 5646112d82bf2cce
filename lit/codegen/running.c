// Pointers that run on through inner loops are functions of the outer ones; what is left of a loop that was unrolled by hand is the end of that loop, so that
// a product in it is a register tile; switches on data beside inner loops are choices.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__((noinline))

// CHECK-DAG: running.c:[[@LINE+5]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void product(const double *a, const double *b, double *c, int n) {
  const double *row = a;
  double *to = c;
  int i = n;
  while (i-- > 0) {
    for (int j = 0; j < n; j++) {
      const double *x = row, *y = b + j;
      double s = 0;
      int k = n;
      while (k--) {
        s += *x++ * *y;
        y += n;
      }
      *to++ = s;
    }
    row += n;
  }
}

// CHECK-DAG: running.c:[[@LINE+3]]:3: remark: loop nest transformed
OWN void transposed(const double *a, double *t, int n, int m) {
  const double *p = a;
  for (int i = 0; i < n; i++) {
    double *q = t + i;
    for (int j = 0; j < m; j++, q += n)
      *q = *p++;
  }
}

// CHECK-DAG: running.c:[[@LINE+2]]:3: remark: loop nest transformed
OWN void cubes(const float *a, float *b, int n, int m, int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        *b++ += 2 * *a++;
}

// CHECK-DAG: running.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void unrolled(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      float t = a[i * n + k];
      int j;
      for (j = 0; j + 3 < n; j += 4) {
        c[i * n + j] += t * b[k * n + j];
        c[i * n + j + 1] += t * b[k * n + j + 1];
        c[i * n + j + 2] += t * b[k * n + j + 2];
        c[i * n + j + 3] += t * b[k * n + j + 3];
      }
      for (; j < n; j++)
        c[i * n + j] += t * b[k * n + j];
    }
}

// CHECK-DAG: running.c:[[@LINE+2]]:3: remark: loop nest transformed
OWN void automaton(int n, const char from[n][n], char to[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (from[i][j]) {
      case 0:
        to[i][j] = 0;
        break;
      case 1: {
        int burns = 0;
        if (i > 0 && from[i - 1][j] == 2)
          burns = 1;
        if (j > 0 && from[i][j - 1] == 2)
          burns = 1;
        if (j < n - 1 && from[i][j + 1] == 2)
          burns = 1;
        to[i][j] = burns ? 2 : 1;
        break;
      }
      case 2:
        to[i][j] = 3;
        break;
      default:
        to[i][j] = 1;
      }
}

static void print(const char *what, const void *p, size_t bytes) {
  const unsigned char *q = p;
  unsigned long h = 0;
  for (size_t i = 0; i < bytes; i++)
    h = h * 31 + q[i];
  printf("%s %lx\n", what, h);
}

int main(void) {
  for (int n = 1; n < 90; n += 1 + n / 4) {
    long size = (long)n * n;
    double *a = malloc(8 * size), *b = malloc(8 * size), *c = malloc(8 * size);
    float *f = malloc(4 * size), *g = malloc(4 * size), *h = malloc(4 * size);
    for (long i = 0; i < size; i++) {
      a[i] = i % 7 / 3.;
      b[i] = i % 11 / 7.;
      f[i] = i % 5 / 3.f;
      g[i] = i % 13 / 7.f;
      h[i] = 1;
    }
    product(a, b, c, n);
    print("product", c, 8 * size);
    transposed(c, b, n, n);
    print("transposed", b, 8 * size);
    cubes(f, h, n > 8 ? n / 8 : 1, n > 8 ? 8 : n, n > 8 ? n : 1);
    unrolled(n, f, g, h);
    print("unrolled", h, 4 * size);
    char(*s)[n] = malloc(size), (*t)[n] = malloc(size);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        s[i][j] = (i * 5 + j * 3) % 4;
    automaton(n, (const char(*)[n])s, t);
    automaton(n, (const char(*)[n])t, s);
    print("automaton", s, size);
  }
}
