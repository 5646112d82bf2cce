// Householder's QR of a matrix with more rows than columns: that is not the case which the compiler has a copy of the outer loop for, and nothing is
// assumed of which is more. Sums down columns run in lanes of columns.
// RUN: %clang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=native -fopenmp %s -lm -o %t.new
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2> %t.told | cmp - %t.expected
// RUN: FileCheck --check-prefix=TOLD %s < %t.told
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
// CHECK: scop "qr
// CHECK: assume non-empty { : [[N:pt[0-9_]+]] >= 2 and [[M:pt[0-9_]+]] >= 2 }
// TOLD: qr: new version {{[1-9]}}
__attribute__((noinline)) void qr(int m, int n, double *a, double *tau) {
  for (int k = 0; k < n; k++) {
    double s = 0;
    for (int i = k; i < m; i++)
      s += a[i * n + k] * a[i * n + k];
    s = sqrt(s);
    double d = a[k * n + k] + s;
    tau[k] = d / s;
    for (int i = k + 1; i < m; i++)
      a[i * n + k] /= d;
    a[k * n + k] = -s;
    for (int j = k + 1; j < n; j++) {
      double t = a[k * n + j];
      for (int i = k + 1; i < m; i++)
        t += a[i * n + k] * a[i * n + j];
      t *= tau[k];
      a[k * n + j] -= t;
      for (int i = k + 1; i < m; i++)
        a[i * n + j] -= t * a[i * n + k];
    }
  }
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 1}, {5, 5}, {20, 7}, {160, 90}, {200, 150}};
  for (int c = 0; c < 6; c++) {
    int m = sizes[c][0], n = sizes[c][1];
    double *a = malloc(m * n * sizeof *a), *tau = malloc(n * sizeof *tau);
    for (int i = 0; i < m * n; i++)
      a[i] = i * 37 % 101 * .125 + (i % (n + 1) == 0 ? 9 : 0);
    qr(m, n, a, tau);
    fwrite(a, sizeof *a, m * n, stdout);
    fwrite(tau, sizeof *tau, n, stdout);
    free(a);
    free(tau);
  }
}
