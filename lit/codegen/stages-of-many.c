// Stages of a program, one after the other in a function, with too many statements for one search: each stage is a region then, and products are tiled. In the order
// of the source they would gain by threads alone.
// RUN: %clang -O3 -march=x86-64-v4 %s -o %t -Rpass=polytile -lm 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=x86-64-v4 %s -o %t.plain -lm
// RUN: %t.plain > %t.expected && %t | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v4 %s -o %t.forced -lm && %t.forced | cmp - %t.expected
//
// CHECK-COUNT-4: register tile
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static void linear(const float *x, const float *w, const float *b, float *y, int n, int d, int e) {
  for (int t = 0; t < n; t++)
    for (int o = 0; o < e; o++) {
      float s = b[o];
      for (int i = 0; i < d; i++)
        s += x[t * d + i] * w[o * d + i];
      y[t * e + o] = s;
    }
}
static void attention(const float *q, const float *k, const float *v, float *att, float *out, int seq, int dim, int heads) {
  int hs = dim / heads;
  for (int h = 0; h < heads; h++)
    for (int t = 0; t < seq; t++) {
      float *row = att + (h * seq + t) * seq, most = -1e30f, sum = 0;
      for (int s = 0; s <= t; s++) {
        float x = 0;
        for (int i = 0; i < hs; i++)
          x += q[t * dim + h * hs + i] * k[s * dim + h * hs + i];
        if (x > most)
          most = x;
        row[s] = x;
      }
      for (int s = 0; s <= t; s++) {
        row[s] = expf(row[s] - most);
        sum += row[s];
      }
      for (int s = 0; s < seq; s++)
        row[s] = s <= t ? row[s] / sum : 0;
      for (int i = 0; i < hs; i++)
        out[t * dim + h * hs + i] = 0;
      for (int s = 0; s <= t; s++)
        for (int i = 0; i < hs; i++)
          out[t * dim + h * hs + i] += row[s] * v[s * dim + h * hs + i];
    }
}
static void normal(float *x, int n, int d) {
  for (int t = 0; t < n; t++) {
    float m = 0, v = 0;
    for (int i = 0; i < d; i++)
      m += x[t * d + i];
    m /= d;
    for (int i = 0; i < d; i++)
      v += (x[t * d + i] - m) * (x[t * d + i] - m);
    for (int i = 0; i < d; i++)
      x[t * d + i] = (x[t * d + i] - m) / sqrtf(v / d + 1e-5f);
  }
}
int main(void) {
  enum { N = 40, D = 384, HEADS = 6 };
  float *x = malloc(4 * N * D), *q = malloc(4 * N * D), *k = malloc(4 * N * D), *v = malloc(4 * N * D), *out = malloc(4 * N * D);
  float *w = malloc(4 * D * D * 3), *b = malloc(4 * D), *att = malloc(4 * HEADS * N * N);
  for (int i = 0; i < N * D; i++)
    x[i] = i % 29 * .03f - .4f;
  for (int i = 0; i < D * D * 3; i++)
    w[i] = i % 23 * .01f - .1f;
  for (int i = 0; i < D; i++)
    b[i] = i % 5 * .02f;
  for (int layer = 0; layer < 20; layer++) {
    linear(x, w, b, q, N, D, D);
    linear(x, w + D * D, b, k, N, D, D);
    linear(x, w + 2 * D * D, b, v, N, D, D);
    attention(q, k, v, att, out, N, D, HEADS);
    for (int i = 0; i < N * D; i++)
      x[i] += out[i];
    normal(x, N, D);
  }
  double s = 0;
  for (int i = 0; i < N * D; i++)
    s += x[i] * (i % 7);
  printf("%.9g\n", s);
}
