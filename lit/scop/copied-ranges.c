// Ranges that are copied, of arrays that nothing else accesses, in rows of one side or the other; sides that may overlap.
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=images" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <string.h>
#define N 40

// A whole image: rows of the side that is computed with.
// CHECK: array {{.*}} f32 memory {{.*}} strides (160 4)
// CHECK: array {{.*}} f32 memory {{.*}} strides (160 4)
void images(int steps, float (*restrict now)[N], float (*restrict before)[N]) {
  for (int t = 0; t < steps; t++) {
    memcpy(before, now, N * N * sizeof(float));
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        now[i][j] = now[i][j] * 0.5f + 1;
  }
}

// Rows that may be the same, of chains of copies.
void chain(int m, int bytes, char *a, char *b, char *c, double *s) {
  for (int i = 0; i < m; i++) {
    memcpy(a + i * bytes, b + i * bytes, bytes);
    memcpy(c + i * bytes, a + i * bytes, bytes);
    for (int j = 0; j < m; j++)
      s[j] += i;
  }
}

// A length that is no whole number of elements.
void odd(int m, int bytes, double *a, double *b, double *s) {
  for (int i = 0; i < m; i++) {
    memcpy(a + i * N, b + i * N, bytes);
    for (int j = 0; j < N; j++)
      s[j] += b[i * N + j];
  }
}

#ifdef MAIN
#include <stdio.h>
static float now[N][N], before[N][N];
static double a[N * N], b[N * N], s[N];
static void show(void) {
  double sum = 0;
  for (int i = 0; i < N * N; i++)
    sum = sum * 0.75 + a[i] + b[i] * 0.5 + s[i % N] + now[i / N][i % N] + before[i / N][i % N];
  printf("%a\n", sum);
}
int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 39, 40};
  for (int k = 0; k < 6; k++) {
    int n = sizes[k];
    for (int i = 0; i < N * N; i++) {
      a[i] = i % 13;
      b[i] = i % 7 * 0.25;
      s[i % N] = i % 11;
      now[i / N][i % N] = i % 17;
    }
    images(n, now, before);
    show();
    chain(n, 8 * n, (char *)a, (char *)b, (char *)now, s);
    show();
    chain(n, n, (char *)a, (char *)b, (char *)before, b);
    show();
    odd(n, 8 * n, a, b, s);
    show();
    odd(n, n, a, b, s);
    show();
    odd(n, 8 * n, a, b, b);
    show();
  }
}
#endif
