// The first iteration of a loop may be a block of its own in a new version, where what the loop carries is a constant. A product of two constants is folded, and rounded, while
// the program's loop fuses it with the sum: products with a constant are fused operations from the beginning.
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void chains(int n, double u[n][n], double v[n][n], double *o) {
  double p[n], q[n], s[n];
  for (int j = 0; j < n; j++)
    p[j] = q[j] = s[j] = j * .01;
  // CHECK: loop nest transformed
  for (int i = 1; i < n - 1; i++) {
    s[0] = .3;
    q[0] = .3;
    p[0] = .3;
    for (int j = 1; j < n; j++) {
      s[j] = (u[i][j] + .3 * q[j - 1]) * .5;
      q[j] = q[j] * .5 + s[j - 1];
      p[j] = 1 / (2.2 + .1 * p[j - 1]) + s[j] * .01;
    }
    v[i][n - 1] = q[n - 1];
    for (int j = n - 2; j >= 0; j--)
      v[i][j] = q[j] + p[j] * .2 * v[i][j + 1];
  }
  for (int j = 0; j < n; j++)
    o[j] = p[j] + 2 * q[j] + 3 * s[j];
}

int main(void) {
  int n = 33;
  double(*u)[n] = malloc(sizeof(double[n][n])), (*v)[n] = calloc(n, sizeof(double[n])), *o = calloc(n, 8);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i][j] = (i * j % 17) * .1;
  chains(n, u, v, o);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a\n", v[i][j]);
  for (int j = 0; j < n; j++)
    printf("%a\n", o[j]);
}
