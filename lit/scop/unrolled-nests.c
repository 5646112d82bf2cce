// A loop of few iterations around others, which the compiler unrolls: the nests are one again, with that loop around them.
// RUN: env POLYTILE='dump=scop;stop-after=scop' %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -DMAIN %s -o %t.new && %plainclang -O1 -DMAIN %s -o %t.old
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -DMAIN %s -o %t.forced
// RUN: %t.new > %t.new.txt && %t.old > %t.old.txt && cmp %t.new.txt %t.old.txt && %t.forced | cmp - %t.old.txt
#include <stdio.h>
#define N 300

// Channels of a filter along the columns.
// CHECK: scop "channels
// CHECK: stmt S0
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_argument_3[2 + i1, i0] }
// CHECK-NOT: stmt S1
void channels(int n, double (*restrict x)[6], double (*restrict y)[6]) {
  for (int c = 0; c < 6; c++)
    for (int i = 2; i < n; i++) y[i][c] = 0.2 * x[i][c] + 0.5 * y[i - 1][c] - 0.1 * y[i - 2][c];
}

// Backwards, with a difference and a counter, and a size of 32 bits in the product.
// CHECK: scop "fields
// CHECK: domain { S0[i0, i1] : 0 <= i0 <= 2 and
// CHECK-NOT: stmt S2
void fields(int n, double *u, double *restrict d) {
  for (int k = 3; k > 0; k--)
    for (int y = 1; y < n; y++) {
      d[y] = u[(y + 1) * 5 + k] - u[(y - 1) * 5 + k];
      u[((n + 1) + y) * 5 + k] = u[y * 5 + k] + 0.1 * d[y] + (k + y);
    }
}

// Two nests for each.
// CHECK: scop "both
// CHECK: beta 0 0 0
// CHECK: beta 0 1 0
// CHECK-NOT: stmt S2
void both(int n, float (*restrict a)[4], float (*restrict b)[4]) {
  for (int c = 0; c < 4; c++) {
    for (int i = 0; i < n; i++) a[i][c] += b[n - 1 - i][c];
    for (int i = 1; i < n; i++) b[i][c] = a[i - 1][c] * 0.5f;
  }
}

// One value in the first nest, two in the others: no loop.
// CHECK: scop "meet
// CHECK: stmt S2
void meet(int n, float (*restrict a)[4], float (*restrict b)[4]) {
  for (int c = 1; c < 4; c++)
    for (int i = 0; i < n; i++)
      a[i][c] = b[i][c] + (((float)i * (float)(i + c) - (float)(i + 2)) * (float)(i + 2 * c) - (float)(i + 3));
}

#ifdef MAIN
static double x[N][6], y[N][6], u[2 * (N + 1) * 5 + 9], d[N];
static float a[N][4], b[N][4];
int main(void) {
  for (int i = 0; i < N; i++) {
    for (int c = 0; c < 6; c++) x[i][c] = (i * 7 + c * 3) % 11 - 5.0, y[i][c] = i - c;
    for (int c = 0; c < 4; c++) a[i][c] = (i * 5 + c) % 13, b[i][c] = i % 7 - c;
  }
  for (int i = 0; i < 2 * (N + 1) * 5 + 9; i++) u[i] = i % 17 - 8;
  for (int n = 0; n < 6; n++) channels(n, x, y), fields(n, u, d), both(n, a, b);
  channels(N, x, y), fields(N, u, d), both(N, a, b);
  meet(N / 2, a, b);
  double h = 0;
  for (int i = 0; i < N; i++)
    for (int c = 0; c < 4; c++) h = h * 0.97 + y[i][c] + u[(N + 1 + i) * 5 + c] + d[i] + a[i][c] * 3 + b[i][c];
  printf("%a\n", h);
}
#endif
