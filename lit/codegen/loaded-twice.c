// A sum's cell that is loaded twice, with a store to another array between both loads, is read twice: such sums have no accumulator.
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void sums(int n, int m, double a, double b, const double (*q)[n], const double (*w)[n], double (*p)[n], double *y, double *x) {
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: remark: loop nest transformed
  for (int j = 1; j < m; j++)
    for (int i = 0; i < n; i++) {
      double t = y[i] - q[j][i] * b;
      double s = a * (b - w[j - 1][i]) + a * b;
      p[j][i] = .25 * (s > 0 ? s : 0);
      y[i] = .25 * (a + y[i] * w[j - 1][i] - t);
      x[j] = s;
    }
}

int main(void) {
  for (int n = 1; n < 90; n += n / 2 + 1) {
    int m = n + n % 7;
    double(*q)[n] = malloc(sizeof(double[m][n])), (*w)[n] = malloc(sizeof(double[m][n])), (*p)[n] = calloc(m, sizeof(double[n]));
    double *y = malloc(8 * n), *x = calloc(m, 8);
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++)
        q[j][i] = (i * j % 7) * .125 - .25, w[j][i] = ((i + 2 * j) % 11) * .0625 - .5;
    for (int i = 0; i < n; i++)
      y[i] = i % 9 * .5;
    sums(n, m, .37, -.71, q, w, p, y, x);
    for (int j = 0; j < m; j++)
      printf("%a %a\n", x[j], p[j][n / 2]);
    for (int i = 0; i < n; i++)
      printf("%a\n", y[i]);
    free(q), free(w), free(p), free(y), free(x);
  }
}
