// Sums of products of bytes along rows of both matrices: the compiler has lanes for them along the rows, with two products in an operation. They are
// left as they are, for threads; lanes across would transpose squares of bytes.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
// CHECK: // parallel
// CHECK-NEXT: for (c0
// CHECK-NEXT: for (c1
// CHECK-NEXT: {
// CHECK-NEXT: S0(c0, c1);
// CHECK-NEXT: for (c2
// CHECK-NEXT: S1(c0, c1, c2);
__attribute__((noinline)) void rows(int n, int d, const signed char *restrict a, const signed char *restrict b, int *restrict o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int k = 0; k < d; k++)
        s += a[i * d + k] * b[j * d + k];
      o[i * n + j] = s;
    }
}

int main(void) {
  enum { N = 33, D = 50 };
  static signed char a[N * D], b[N * D];
  static int o[N * N];
  for (int i = 0; i < N * D; i++) {
    a[i] = i * 37;
    b[i] = i * 53 + 11;
  }
  rows(N, D, a, b, o);
  fwrite(o, sizeof o, 1, stdout);
}
