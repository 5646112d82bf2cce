// A byte may be stored over pointers to rows and over sizes, so LLVM reads them again for each pixel and makes no vectors. The new version, which has looked once,
// gains on one thread.
// RUN: %clang -O3 -march=x86-64-v3 -fopenmp %s -o %t.new
// RUN: clang-22 -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.new 2>&1 | FileCheck %s
// CHECK-DAG: smooth: new version 4 {{.*}} original 0
// CHECK-DAG: darken: new version 4 {{.*}} original 0
#include <stdio.h>
#include <stdlib.h>
struct image {
  int w, h;
  unsigned char *p;
};
__attribute__((noinline)) void smooth(int n, int m, unsigned char **p, unsigned char **q) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      q[i][j] = (p[i - 1][j] + p[i][j - 1] + 4 * p[i][j] + p[i][j + 1] + p[i + 1][j] + 4) >> 3;
}
__attribute__((noinline)) void darken(struct image *q, struct image *p) {
  for (int y = 0; y < p->h; y++)
    for (int x = 0; x < p->w; x++)
      q->p[y * q->w + x] = p->p[y * p->w + x] * 3 >> 2;
}
int main(void) {
  enum { N = 300, M = 500 };
  unsigned char *p[N], *q[N], *data = malloc(2 * N * M);
  for (int i = 0; i < N; i++)
    p[i] = data + i * M, q[i] = p[i] + N * M;
  for (int i = 0; i < 2 * N * M; i++)
    data[i] = i * 7 % 251;
  struct image a = {M, N, data}, b = {M, N, data + N * M};
  for (int t = 0; t < 4; t++) {
    smooth(N, M, p, q);
    darken(&a, &b);
  }
  unsigned sum = 0;
  for (int i = 0; i < 2 * N * M; i++)
    sum = sum * 31 + data[i];
  printf("%u\n", sum);
}
