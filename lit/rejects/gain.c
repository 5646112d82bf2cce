// Nests that are modelled but stay as they are, because what runs in parallel or in tiles is too small a part of them.
// RUN: %clang -O2 -march=znver4 -g1 -Rpass-missed=polytile -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
#include <string.h>

// Levinson's recursion: values rotate around the outer loop, and each of its steps needs the one before. Only the copy is
// parallel by itself.
// CHECK: gain.c:[[@LINE+4]]:3: remark: static control part: 9 statements, 3 loops; argument 2 of recursion[], argument 3 of recursion[], argument 4 of recursion[]
// CHECK: gain.c:[[@LINE+3]]:3: remark: loop nest not transformed: no gain expected: {{only threads gain, and only with very many iterations|the original's loops are as fast}}
void recursion(int n, double *restrict r, double *restrict y, double *restrict z) {
  double beta = 1, alpha = -r[0];
  for (int k = 1; k < n; k++) {
    double sum = 0;
    beta = (1 - alpha * alpha) * beta;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    memcpy(y, z, sizeof(double) * k);
    y[k] = alpha;
  }
}

// One chain of dependences.
// CHECK: gain.c:[[@LINE+2]]:3: remark: loop nest not transformed: no gain expected: nothing runs in parallel or in tiles
void chain(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[0] = a[0] * 0.5 + 1;
}

// Each step of the chain takes as long as the rest of an iteration; loops of their own for both would only come on top.
// CHECK: gain.c:[[@LINE+2]]:3: remark: loop nest not transformed: no gain expected: the original's loops are as fast
void hidden(long n, double *restrict a, double (*restrict c)[100], double (*restrict b)[100], double *restrict d) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < n; j++) {
      a[j] = 1 - a[j - 1];
      c[i][j] = a[j] + b[i][j] * d[j];
    }
}

// Points that turn again and again: all steps of a point after another would spare memory, but each takes elements of the vector that the one
// before has just stored, and LLVM has a vector for each point as it is.
// CHECK: gain.c:[[@LINE+2]]:3: remark: loop nest not transformed: no gain expected: the original's loops are as fast
void turned(long n, double (*restrict p)[4], double m[restrict 4][4]) {
  for (int t = 0; t < 40; t++)
    for (long i = 0; i < n; i++) {
      double v[4];
      for (int j = 0; j < 4; j++)
        v[j] = m[j][0] * p[i][0] + m[j][1] * p[i][1] + m[j][2] * p[i][2] + m[j][3] * p[i][3];
      for (int j = 0; j < 4; j++)
        p[i][j] = v[j];
    }
}
