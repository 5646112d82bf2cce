// A factorization in blocks by hand, which ends early where a pivot is not positive: behind a panel that is done, what is left is a product of the panel
// with itself. It reads elements of the matrix that it writes to, and none that it writes: rows of the panel are copied. Where the panel begins and ends
// is known at run time, in one counter of 32 and one of 64 bits, and where the last one ends is the least of two numbers.
//
// RUN: %clang -O3 -march=x86-64-v4 -g1 -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain -lm
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new -lm
// RUN: for n in 0 1 7 31 32 33 64 100 131; do %t.plain $n; done > %t.expected
// RUN: for n in 0 1 7 31 32 33 64 100 131; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 0 1 7 31 32 33 64 100 131; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { B = 32 };

__attribute__((noinline)) int cholesky(int n, double *a) {
  for (int k0 = 0; k0 < n; k0 += B) {
    int k1 = k0 + B < n ? k0 + B : n;
    for (int k = k0; k < k1; k++) {
      if (a[k * n + k] <= 0)
        return k + 1;
      a[k * n + k] = sqrt(a[k * n + k]);
      for (int i = k + 1; i < n; i++)
        a[i * n + k] /= a[k * n + k];
      for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < k1 && j <= i; j++)
          a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
    // CHECK: blocked-factors.c:[[@LINE+1]]:5: remark: loop nest transformed: {{.*}} register tile, 2 packed operands
    for (int i = k1; i < n; i++)
      for (int j = k1; j <= i; j++) {
        double s = a[i * n + j];
        for (int k = k0; k < k1; k++)
          s -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = s;
      }
  }
  return 0;
}

// CHECK: blocked-factors.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile, 2 packed operands
__attribute__((noinline)) void update(int n, int from, int to, double *a) {
  for (int i = to; i < n; i++)
    for (int j = to; j < n; j++)
      for (int k = from; k < to; k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  for (int r = 0; r < 3; r++) {
    double *a = malloc(sizeof(double) * (n * n + 1)), sum = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i * n + j] = i == j ? (r == 1 && i == n / 2 ? -1 : n) : 1. / (1 + abs(i - j));
    int end = cholesky(n, a);
    update(n, n / 3, n / 2, a);
    update(n, 0, n - n / 4, a);
    for (int i = 0; i < n * n; i++)
      sum = sum * .999 + a[i];
    printf("%d %d %.17g\n", n, end, sum);
    free(a);
  }
}
