// Sizes that are quotients (`n/2`, `(n + 1)/2`, `n >> 2`), as grids of several levels have them: a row of `n/2` elements is a row, with
// every `n`.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "restricted
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_coarse[i0, i1] }
// CHECK: read { S0[i0, i1] -> M{{[0-9]}}_fine[{{2?}}i0, 2i1] }
NI void restricted(int n, const double *restrict fine, double *restrict coarse) {
  for (int i = 0; i < n / 2; i++)
    for (int j = 0; j < n / 2; j++)
      coarse[i * (n / 2) + j] = .25 * (fine[2 * i * n + 2 * j] + fine[2 * i * n + 2 * j + 1] + fine[(2 * i + 1) * n + 2 * j] +
                                       fine[(2 * i + 1) * n + 2 * j + 1]);
}

// CHECK: scop "prolonged
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_fine[{{2?}}i0, 2i1] }
// CHECK: read { S0[i0, i1] -> M{{[0-9]}}_coarse[i0, i1] }
NI void prolonged(unsigned long n, const double *restrict coarse, double *restrict fine) {
  unsigned long m = (n + 1) / 2;
  for (unsigned long i = 0; i < m; i++)
    for (unsigned long j = 0; j < m; j++)
      fine[2 * i * n + 2 * j] = coarse[i * m + j];
}

// Two quotients, a shift and a constant.
// CHECK: scop "halved
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_b[1 + i0, {{1 \+ i1|.*}}] }
NI void halved(int n, int m, const float *restrict a, float *restrict b) {
  int w = (m >> 2) + 2, h = n / 3;
  for (int i = 0; i < h; i++)
    for (int j = 0; j < (m >> 2); j++)
      b[(i + 1) * w + j + 1] = a[i * m + 4 * j] - a[i * m + 4 * j + 1];
}

#ifdef MAIN
#define N 128
static double a[N * N], b[N * N];
static float f[N * N], g[N * N];
static void fill(void) {
  for (int i = 0; i < N * N; i++)
    a[i] = i * 37 % 101 * .25, f[i] = i * 53 % 97 * .5f, b[i] = g[i] = 0;
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N * N; i++)
    s = s * .75 + b[i] + g[i];
  printf("%.17g\n", s);
}
int main(void) {
  static const int sizes[] = {-9, -2, -1, 0, 1, 2, 3, 4, 5, 7, 31, 64, 97, 125, 126};
  for (int i = 0; i < 15; i++) {
    fill(), restricted(sizes[i], a, b), show();
    if (sizes[i] >= 0)
      fill(), prolonged(sizes[i], a, b), show();
    for (int j = 0; j < 15; j++)
      fill(), halved(sizes[i], sizes[j], f, g), show();
  }
}
#endif
