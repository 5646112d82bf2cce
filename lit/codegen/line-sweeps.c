// Tridiagonal systems along the lines of a grid, step by step in time and in one direction after the other: the lines that are scratch get
// copies in each sweep, and lines of a sweep run in lanes. The last step keeps the program's own, which it may read afterwards.
// RUN: env "POLYTILE=dump=ast;only=steps" %clang -O3 -march=x86-64-v3 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=ast;only=alternating" %clang -O3 -march=x86-64-v3 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: lanes, {{.*}} contracted
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=1;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.auto && %t.auto | cmp - %t.expected
#pragma STDC FP_CONTRACT OFF
#define NI __attribute__((noinline))

NI void steps(int n, int m, int times, double *u, double *c, double *d, double r) {
  for (int t = 0; t < times; t++)
    for (int i = 0; i < m; i++) {
      double *x = u + (long)i * n;
      c[0] = -r / (1 + 2 * r);
      d[0] = x[0] / (1 + 2 * r);
      for (int j = 1; j < n; j++) {
        double w = 1 / (1 + 2 * r + r * c[j - 1]);
        c[j] = -r * w;
        d[j] = (x[j] + r * d[j - 1]) * w;
      }
      x[n - 1] = d[n - 1];
      for (int j = n - 2; j >= 0; j--)
        x[j] = d[j] - c[j] * x[j + 1];
    }
}

// Both directions of a step use the same lines.
NI void alternating(int n, int times, double *u, double *v, double *c, double *d, double r) {
  for (int t = 0; t < times; t++) {
    for (int i = 1; i < n - 1; i++) {
      c[0] = 0;
      d[0] = u[i * n];
      for (int j = 1; j < n - 1; j++) {
        double right = u[i * n + j] + r * (u[(i - 1) * n + j] - 2 * u[i * n + j] + u[(i + 1) * n + j]);
        double w = 1 / (1 + 2 * r + r * c[j - 1]);
        c[j] = -r * w;
        d[j] = (right + r * d[j - 1]) * w;
      }
      v[i * n + n - 1] = u[i * n + n - 1];
      for (int j = n - 2; j >= 1; j--)
        v[i * n + j] = d[j] - c[j] * v[i * n + j + 1];
      v[i * n] = u[i * n];
    }
    for (int j = 1; j < n - 1; j++) {
      c[0] = 0;
      d[0] = v[j];
      for (int i = 1; i < n - 1; i++) {
        double right = v[i * n + j] + r * (v[i * n + j - 1] - 2 * v[i * n + j] + v[i * n + j + 1]);
        double w = 1 / (1 + 2 * r + r * c[i - 1]);
        c[i] = -r * w;
        d[i] = (right + r * d[i - 1]) * w;
      }
      u[(n - 1) * n + j] = v[(n - 1) * n + j];
      for (int i = n - 2; i >= 1; i--)
        u[i * n + j] = d[i] - c[i] * u[(i + 1) * n + j];
    }
  }
}

// What one direction leaves in the lines is where the other one begins: they stay one.
NI void handed(int n, int times, double *u, double *c) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      for (int j = 1; j < n; j++)
        c[j] = 0.5 * c[j - 1] + u[i * n + j];
      for (int j = 0; j < n; j++)
        u[i * n + j] = 0.25 * c[j];
    }
    for (int j = 0; j < n; j++) {
      for (int i = 1; i < n; i++)
        c[i] = 0.5 * c[i - 1] + u[i * n + j];
      for (int i = 0; i < n; i++)
        u[i * n + j] = 0.25 * c[i];
    }
  }
}
#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const int sizes[] = {3, 8, 33, 64, 131};
  for (int s = 0; s < 5; s++)
    for (int times = 0; times < 4; times++) {
      int n = sizes[s], m = n + s;
      double *u = malloc(sizeof *u * m * m), *v = malloc(sizeof *v * m * m);
      double *c = malloc(sizeof *c * m), *d = malloc(sizeof *d * m);
      for (int i = 0; i < m * m; i++)
        u[i] = i * 7 % 31 * 0.37, v[i] = i * 5 % 23 * 0.21;
      for (int i = 0; i < m; i++)
        c[i] = i % 5, d[i] = i % 7;
      steps(n, m, times, u, c, d, 0.3);
      alternating(n, times, u, v, c, d, 0.4);
      fwrite(c, sizeof *c, m, stdout);
      handed(n, times, u, c);
      fwrite(u, sizeof *u, m * m, stdout);
      fwrite(v, sizeof *v, m * m, stdout);
      fwrite(c, sizeof *c, m, stdout);
      fwrite(d, sizeof *d, m, stdout);
      free(u), free(v), free(c), free(d);
    }
}
#endif
