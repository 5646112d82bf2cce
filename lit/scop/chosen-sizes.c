// Sizes that are the least or the greatest of several values, and of 2*n + 1 elements.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdlib.h>

// One value: no case for each of the two.
// CHECK-LABEL: function "least"
// CHECK: param [[SIZE:p_size_0]] = (smin (sext v{{[0-9]+}}:32) (sext v{{[0-9]+}}:32))
// CHECK: array M0{{.*}} extents ((mul 1 (smin
// CHECK: domain { S0[i0, i1, i2] : 0 <= i0 < [[SIZE]] and 0 <= i1 < [[SIZE]] and 0 <= i2 < [[SIZE]] }
// CHECK: read { S0[i0, i1, i2] -> {{M[^ ]*}}[i0, i2] }
__attribute__((noinline)) void least(int n0, int m0, double *restrict c, const double *restrict a, const double *restrict b) {
  int n = n0 < m0 ? n0 : m0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// The command line's order, whose sign is a switch.
// CHECK-LABEL: function "absolute"
// CHECK: param [[SIZE:p_size_0]] = (smax (mul nsw -1 v{{[0-9]+}}) v{{[0-9]+}})
// CHECK: domain { S0[i0, i1, i2] : 0 <= i0 < [[SIZE]] and 0 <= i1 < [[SIZE]] and 0 <= i2 < [[SIZE]] }
__attribute__((noinline)) void absolute(long n, double *restrict c, const double *restrict a, const double *restrict b) {
  if (n < 0)
    n = -n;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// CHECK-LABEL: function "odd"
// CHECK: param p_size_0 = (add nsw 1 (mul nsw 2 v{{[0-9]+}}))
// CHECK: read { S0[i0, i1] -> {{M[^ ]*}}[i0, 1 + i1] }
__attribute__((noinline)) void odd(long half, double *restrict b, const double *restrict a) {
  long n = 2 * half + 1;
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1];
}

// Rows of 2*n elements and a diagonal: no size of its own.
// CHECK-LABEL: function "diagonal"
// CHECK-NOT: p_size
// CHECK: write { S{{[0-9]+}}[{{.*}}] -> {{M[^ ]*}}[i0, i0] }
__attribute__((noinline)) void diagonal(long half, double *restrict a) {
  long n = 2 * half;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++)
      a[i * n + j] = .5 * a[i * n + j];
    a[i * n + i] = 1;
  }
}
#ifdef MAIN
#include <stdio.h>
static double a[90000], b[90000], c[90000];
int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 8, 17, 64, 100, -1, -2, -33};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned t = 0; t < sizeof sizes / sizeof *sizes; t++) {
      for (int i = 0; i < 90000; i++) {
        a[i] = (i * 7 + t) % 31 * .125;
        b[i] = i % 29 * .0625;
        c[i] = i % 5;
      }
      least(sizes[s], sizes[t], c, a, b);
      absolute(sizes[s], c, b, a);
      odd(sizes[s], b, c);
      diagonal(sizes[s], c);
      double sum = 0;
      for (int i = 0; i < 90000; i++)
        sum = sum * .75 + b[i] + c[i];
      printf("%d %d %a\n", sizes[s], sizes[t], sum);
    }
}
#endif
