// Lifting steps of a wavelet, column by column through a local line, several times in `main`: the search finds nothing that is faster. The order of the
// source is on threads, who meet once in each of the steps around.
// RUN: %clang -O3 -march=x86-64-v4 -fopenmp -g1 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env 'POLYTILE=min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

static void columns(float *a, int n, int m) {
  float t[2048];
  for (int j = 0; j < m; j++) {
    int h = n / 2;
    for (int k = 0; k < h; k++) {
      t[k] = a[2L * k * m + j];
      t[h + k] = a[(2L * k + 1) * m + j];
    }
    for (int k = 0; k < h - 1; k++)
      t[h + k] -= 0.5f * (t[k] + t[k + 1]);
    t[2 * h - 1] -= t[h - 1];
    t[0] += 0.5f * t[h];
    for (int k = 1; k < h; k++)
      t[k] += 0.25f * (t[h + k - 1] + t[h + k]);
    for (int k = 0; k < n; k++)
      a[(long)k * m + j] = t[k];
  }
}

int main(void) {
  int n = 1024, m = 1536;
  float *a = malloc(4L * n * m);
  for (long k = 0; k < (long)n * m; k++)
    a[k] = k * 7919 % 1009 / 1009.f;
  // CHECK: lifting-steps.c:[[@LINE+1]]:{{[0-9]+}}: remark: loop nest transformed together with the one
  for (int t = 0; t < 6; t++)
    columns(a, n, m);
  for (long k = 0; k < (long)n * m; k += 1013)
    printf("%a\n", a[k]);
}
