// Counters that step by more than one may jump over the end of their type where the bound is among its last numbers: that it is not is asked for.
// Loops tiled by hand are the loops that were tiled.
// RUN: env POLYTILE="stop-after=scop;dump=scop" %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck %s
#include <stddef.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// CHECK: scop "tiled
// CHECK: assume no-wrap {{.*}}<= 2147483600
// CHECK: domain { S0[i0, i1, i2] : 0 <= i0 < [[N:pt[0-9_]+]] and 0 <= i1 < [[N]] and 0 <= i2 < [[N]] }
__attribute__((noinline)) void tiled(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (int ii = 0; ii < n; ii += 48)
    for (int kk = 0; kk < n; kk += 48)
      for (int jj = 0; jj < n; jj += 48)
        for (int i = ii; i < MIN(ii + 48, n); i++)
          for (int k = kk; k < MIN(kk + 48, n); k++)
            for (int j = jj; j < MIN(jj + 48, n); j++)
              c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// CHECK: scop "sizes
// CHECK: domain { S0[i0, i1] : 0 <= i0 <= -3 + {{.*}} and 0 <= i1 <= -3 +
void sizes(size_t n, size_t m, const double *restrict a, double *restrict b) {
  for (size_t ii = 1; ii < n - 1; ii += 24)
    for (size_t jj = 1; jj < m - 1; jj += 24)
      for (size_t i = ii; i < MIN(ii + 24, n - 1); i++)
        for (size_t j = jj; j < MIN(jj + 24, m - 1); j++)
          b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j] + a[(i + 1) * m + j];
}

// CHECK: scop "down
// CHECK: domain { S0[i0] : i0 >= 0 and 3i0 <
void down(unsigned n, unsigned last, double *a) {
  for (unsigned i = n; i > last; i -= 3)
    a[i] = 1;
}

// `3 - j % 2` is an exclusive or to the compiler.
// CHECK: scop "colour
// CHECK: domain { S0[i0, i1] :
void colour(int n, double (*restrict a)[1000]) {
  for (int j = 2; j < n; j++)
    for (int i = 3 - (j & 1); i < n; i += 2)
      a[j][i] = .5 * (a[j][i - 1] + a[j][i + 1]);
}
