// Rows, lanes and panel places that do not exist divide nothing that the program does not divide, and raise no flag: the flags
// after each function are those of the program without the plugin, and nothing traps where the program has asked for traps.
// DEFINE: %{options} = -march=native -fno-math-errno -lm %s
// RUN: %plainclang -O1 %{options} -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel=off" %clang -O3 %{options} -o %t.new -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %t.new | cmp - %t.expected
// RUN: env MALLOC_PERTURB_=255 %t.new | cmp - %t.expected
// RUN: %plainclang -O1 -DREAL=float %{options} -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel=off" %clang -O3 -DREAL=float %{options} -o %t.new
// RUN: %t.new | cmp - %t.expected
// RUN: env MALLOC_PERTURB_=255 %t.new | cmp - %t.expected
// CHECK-COUNT-6: loop nest transformed
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef REAL
#define REAL double
#endif
#define N 70
#define KERNEL(name) __attribute__((noinline)) static void name(int n, int m, int p, REAL (*restrict c)[N], REAL (*restrict a)[N], REAL (*restrict b)[N], REAL *restrict x, REAL *restrict y)
#define FOR(i, first, end) for (int i = first; i < end; i++)

KERNEL(quotients) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) c[i][j] += a[i][k] / b[k][j]; }
KERNEL(transposed) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) c[i][j] += a[k][i] / b[j][k]; }
KERNEL(products) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) c[i][j] += a[i][k] * b[k][j]; }
KERNEL(roots) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) c[i][j] += (REAL)sqrt(a[i][k] * b[k][j]); }
// The divisor is zero next to the diagonal, where the program does not go.
KERNEL(lower) { FOR(i, 0, n) FOR(j, 0, i + 1) FOR(k, 0, p) c[i][j] += a[i][k] * b[j][k] / (x[i] - y[j]); }
KERNEL(steps) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, i) c[i][j] += b[k][j] / (x[k] - x[i]); }
KERNEL(rows) { FOR(i, 0, n) FOR(j, 0, m) y[i] += a[i][j] / b[0][j]; }

typedef void kernel(int, int, int, REAL (*restrict)[N], REAL (*restrict)[N], REAL (*restrict)[N], REAL *restrict, REAL *restrict);
static kernel *const all[] = {quotients, transposed, products, roots, lower, steps, rows};

// Of the rest of a block from the heap, and of an array, everything is bad: zeros and signalling numbers.
static void dirty(int zeros) {
  for (int size = 64; size < 1 << 20; size *= 2) {
    unsigned *block = malloc(size);
    for (int i = 0; i < size / 4; i++)
      block[i] = zeros ? 0 : 0x7fa00001u;
    free(block);
  }
}

static REAL a[N][N], b[N][N], c[N][N], x[N], y[N];
int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {5, 7, 3}, {9, 17, 8}, {33, 20, 41}, {64, 64, 64}, {67, 61, 69}};
  for (int kernel = 0; kernel < 7; kernel++)
    for (int s = 0; s < 12; s++) {
      const int n = sizes[s / 2][0], m = sizes[s / 2][1], p = sizes[s / 2][2];
      memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(c, 0, sizeof c);
      for (int i = 0; i < N; i++) {
        x[i] = i + (REAL)0.5, y[i] = i - (REAL)0.5;
        for (int j = 0; j < N; j++) {
          const int square = n > m ? (n > p ? n : p) : (m > p ? m : p);
          if (kernel > 3 ? i < square && j < square : i < (kernel == 1 ? p : n) && j < (kernel == 1 ? n : p))
            a[i][j] = kernel == 2 && i == n - 1 ? (REAL)INFINITY : (i * 7 + j) % 8 + 1;
          if (kernel > 3 ? i < square && j < square : i < (kernel == 1 ? m : p) && j < (kernel == 1 ? p : m))
            b[i][j] = 1 << (i + j) % 4;
        }
      }
      dirty(s % 2);
      feclearexcept(FE_ALL_EXCEPT);
      feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
      all[kernel](n, m, p, c, a, b, x, y);
      const int raised = fetestexcept(FE_ALL_EXCEPT);
      fedisableexcept(FE_ALL_EXCEPT);
      double sum = 0;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          if (isfinite(c[i][j]))
            sum = sum * 0.75 + (double)c[i][j] + (double)y[j];
      printf("%d %d: %a, flags %x\n", kernel, s, sum, raised);
    }
  return 0;
}
