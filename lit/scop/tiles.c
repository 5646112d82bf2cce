// Nests that were tiled by hand are the nests that they were: over blocks and inside of them, with ends that are cut or whole tiles, with a
// function for a block. Rows of any length have no parts that a step by blocks would be. Tiles that order something stay.
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=cut" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=blocks" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=called" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=sweep" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SWEEP
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=solve" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SOLVE
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
//
#include <stdio.h>
#include <stdlib.h>
#define B 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define OUT __attribute__((noinline))

// CUT: stmt S0
// CUT: domain { S0[i0, i1, i2] : 0 <= i0 < pt0_0 and 0 <= i1 < pt0_0 and 0 <= i2 < pt0_0 }
// CUT: write { S0[i0, i1, i2] -> {{.*}}[i0, i2] }
// CUT-NOT: stmt
OUT void cut(int n, double *restrict c, const double *restrict a, const double *restrict b) {
  for (int ii = 0; ii < n; ii += B)
    for (int kk = 0; kk < n; kk += B)
      for (int jj = 0; jj < n; jj += B)
        for (int i = ii; i < MIN(ii + B, n); i++)
          for (int k = kk; k < MIN(kk + B, n); k++)
            for (int j = jj; j < MIN(jj + B, n); j++)
              c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// BLOCKS: stmt S0
// BLOCKS: write { S0[{{[^,]*, [^,]*, [^,]*}}] -> {{.*}} }
// BLOCKS-NOT: stmt
OUT void blocks(long n, double *restrict c, const double *restrict a, const double *restrict b) {
  for (long x = 0; x < n / B; x++)
    for (long y = 0; y < n / B; y++)
      for (long z = 0; z < n / B; z++)
        for (long i = 0; i < B; i++)
          for (long k = 0; k < B; k++)
            for (long j = 0; j < B; j++)
              c[(x * B + i) * n + y * B + j] += a[(x * B + i) * n + z * B + k] * b[(z * B + k) * n + y * B + j];
}

static void block(int n, double *restrict c, const double *restrict a) {
  for (int i = 0; i < B; i++)
    for (int j = 0; j < B; j++)
      c[j * n + i] = a[i * n + j];
}

// Whole tiles fit into rows where the size is a multiple of their length.
// CALLED: mod 32 = 0
// CALLED: stmt S0
// CALLED: write { S0[{{[^,]*, [^,]*}}] -> {{.*}} }
// CALLED-NOT: stmt
OUT void called(int n, double *restrict c, const double *restrict a) {
  for (int ii = 0; ii < n; ii += B)
    for (int jj = 0; jj < n; jj += B)
      block(n, c + jj * n + ii, a + ii * n + jj);
}

// SWEEP: S0[i0, i1, i2, i3]
OUT void sweep(int n, double *restrict c) {
  for (int ii = 1; ii < n - 1; ii += B)
    for (int jj = 1; jj < n - 1; jj += B)
      for (int i = ii; i < MIN(ii + B, n - 1); i++)
        for (int j = jj; j < MIN(jj + B, n - 1); j++)
          c[i * n + j] = 0.25 * (c[(i - 1) * n + j + 1] + c[i * n + j]);
}

// A vector that is walked in blocks is no matrix of rows of that length.
// SOLVE-NOT: pt0_0 <= 32
// SOLVE: array {{.*}} strides (8)
OUT void solve(int n, double *restrict c, const double *restrict a) {
  for (int kk = 0; kk < n; kk += B)
    for (int i = kk; i < n; i++)
      for (int k = kk; k < MIN(kk + B, i); k++)
        c[i] -= a[i * n + k] * c[k];
}

static void show(int n, const double *c) {
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += c[i] * (i % 31 + 1);
  printf("%d %.17g\n", n, sum);
}

int main(void) {
  const int sizes[] = {1, 31, 32, 33, 64, 96, 100};
  for (int s = 0; s < 7; s++) {
    const int n = sizes[s];
    double *a = malloc(n * n * 8), *b = malloc(n * n * 8), *c = malloc(n * n * 8);
    for (int i = 0; i < n * n; i++)
      a[i] = (i * 7 % 13 - 6) / 8.0, b[i] = (i * 5 % 11 - 5) / 4.0, c[i] = i % 17 / 16.0;
    cut(n, c, a, b), show(n, c);
    blocks(n, c, a, b), show(n, c);
    if (n % B == 0)
      called(n, b, a), show(n, b);
    sweep(n, c), show(n, c);
    solve(n, c, b), show(n, c);
    free(a), free(b), free(c);
  }
}
