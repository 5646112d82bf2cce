// A place in a temporary array for each of several cases: where bounds are maxima of several numbers, hulls of their cases are absurdly large, and two
// such sizes have a product of more than 64 bits. The original runs then.
// RUN: %plainclang -O3 -march=native -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -ffp-contract=off %s -o %t.new && %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -ffp-contract=off %s -o %t.forced && %t.forced | cmp - %t.expected
#include <stdio.h>
static int max(int a, int b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }
static double sums[64];
__attribute__((noinline)) void both(int n, int r, int b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (long k = max(0, max(i - r, j - b)); k < min(i + r, j + b) + 1; k++)
        s += k * 3 + i - j;
      sums[i] += s;
    }
}
int main(void) {
  for (int n = 0; n < 30; n++)
    for (int r = -2; r < 6; r++)
      for (int b = -2; b < 6; b++) {
        both(n, r, b);
        double h = 0;
        for (int i = 0; i < 64; i++)
          h += sums[i] * (i + 1);
        printf("%d %d %d %g\n", n, r, b, h);
      }
}
