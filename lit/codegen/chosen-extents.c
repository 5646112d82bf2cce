// How far a product goes is chosen by a parameter: up to the diagonal, or all of it. Each choice has register tiles of its own; the instances of both together
// are no box, and ran as point loops.
//
// RUN: %clang -O3 -march=x86-64-v4 -g1 -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: for n in 1 7 50 101; do for c in -1 0 2; do %t.plain $n $c; done; done > %t.expected
// RUN: for n in 1 7 50 101; do for c in -1 0 2; do env OMP_NUM_THREADS=1 %t.new $n $c; done; done | cmp - %t.expected
// RUN: for n in 1 7 50 101; do for c in -1 0 2; do env OMP_NUM_THREADS=3 %t.new $n $c; done; done | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void scores(int n, int d, int causal, const float *restrict q, const float *restrict k, float *restrict s) {
  // CHECK: chosen-extents.c:[[@LINE+1]]:3: remark: loop nest transformed: {{.*}} 2 register tiles
  for (int i = 0; i < n; i++) {
    int m = causal ? i + 1 : n;
    for (int j = 0; j < m; j++) {
      float x = 0;
      for (int t = 0; t < d; t++)
        x += q[i * d + t] * k[j * d + t];
      s[i * n + j] = x;
    }
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), causal = atoi(argv[2]), d = 37;
  float *q = malloc(sizeof(float) * n * d), *k = malloc(sizeof(float) * n * d), *s = calloc(n * n, sizeof(float)), sum = 0;
  for (int i = 0; i < n * d; i++) {
    q[i] = i * 7 % 23 * .05f - .5f;
    k[i] = i * 11 % 29 * .04f - .5f;
  }
  scores(n, d, causal, q, k, s);
  for (int i = 0; i < n * n; i++)
    sum = sum * .99f + s[i];
  printf("%d %d %.9g\n", n, causal, sum);
}
