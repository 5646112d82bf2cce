// A counter that begins at a quotient, and a switch on its remainder: a case runs where inequalities with floors of both counters say, in
// steps of six. In tiles, points are scanned without the floors and asked for them; the last case was lost where its first step is the third.
// RUN: env "POLYTILE=dump=ast;min-work=0;parallel-min-us=0;tile-sizes=3,4,3,6;stop-after=ast" %clang -O1 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;tile-sizes=3,4,3,6;verify=on" %clang -O1 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=2 %t.tiled | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
static double a[20][20][24], b[20 * 11 + 80], c[18][46], d[52][54];

// CHECK: for ([[I:c[0-9]+]] = max(0, [[T:c[0-9]+]])
// CHECK-NEXT: for ([[J:c[0-9]+]] =
// CHECK-NEXT: if (
// CHECK-NEXT: S2([[I]], [[J]])
__attribute__((noinline)) void cases(long m, unsigned long n, long e, double *b, double c[18][46], double d[52][54]) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = (i + 1) / 3; j < 7; j += 2)
      switch ((j + 1) % 3) {
      case 0: a[i + 2][j + 2][i + 2] += 0.375 * b[(j + j + 2) * e + j + 2 * m + 1]; break;
      case 1: b[i * e + j] = a[i][j + j][3] * .5; break;
      default: d[i + 5][j] = c[i + 1][j] * 0x1p-16;
      }
}

#ifdef MAIN
#include <stdio.h>
int main(void) {
  for (unsigned n = 0; n < 17; n++)
    for (long m = 0; m < 3; m++) {
      for (int i = 0; i < 20 * 20 * 24; i++) a[0][0][i] = i % 13;
      for (int i = 0; i < 20 * 11 + 80; i++) b[i] = i % 7 + 0.5;
      for (int i = 0; i < 18 * 46; i++) c[0][i] = i % 17;
      for (int i = 0; i < 52 * 54; i++) d[0][i] = n;
      cases(m, n, 11, b, c, d);
      fwrite(a, sizeof a, 1, stdout), fwrite(b, sizeof b, 1, stdout), fwrite(d, sizeof d, 1, stdout);
    }
}
#endif
