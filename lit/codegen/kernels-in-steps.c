// Many kernels in one loop over steps, of sizes that are constants: to find a row for all their statements at once is too much among large numbers, but they share the
// source's loop, and each nest inside of it has a schedule of its own. The solver down the columns goes along rows.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=x86-64-v3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=parallel-min-us=0;verify=on" %clang -O3 -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: for (c[[T:[0-9]+]] = 0; c[[T]] <= 7; c[[T]] += 1)
// CHECK: <= 299; c{{[0-9]+}} += s0)
// CHECK-NEXT: <= 317; c{{[0-9]+}} += 1)
// CHECK-NEXT: // vector
#include <stdio.h>
enum { W = 300, H = 320 };
static double u[H][W], r[H][W], c[H][W], d[H][W];
static void along_columns(double a) {
  for (int j = 1; j < H - 1; j++)
    for (int i = 0; i < W; i++)
      r[j][i] = u[j][i] + a * (u[j - 1][i] - 2 * u[j][i] + u[j + 1][i]);
  for (int i = 0; i < W; i++) {
    r[0][i] = u[0][i];
    r[H - 1][i] = u[H - 1][i];
  }
}
static void along_rows(double a) {
  for (int j = 0; j < H; j++) {
    r[j][0] = u[j][0];
    for (int i = 1; i < W - 1; i++)
      r[j][i] = u[j][i] + a * (u[j][i - 1] - 2 * u[j][i] + u[j][i + 1]);
    r[j][W - 1] = u[j][W - 1];
  }
}
static void solve_rows(double a) {
  for (int j = 0; j < H; j++) {
    c[j][0] = 0;
    d[j][0] = r[j][0];
    for (int i = 1; i < W - 1; i++) {
      double m = 1 / (1 + 2 * a + a * c[j][i - 1]);
      c[j][i] = -a * m;
      d[j][i] = (r[j][i] + a * d[j][i - 1]) * m;
    }
    u[j][W - 1] = r[j][W - 1];
    for (int i = W - 2; i >= 0; i--)
      u[j][i] = d[j][i] - c[j][i] * u[j][i + 1];
  }
}
static void solve_columns(double a) {
  for (int i = 0; i < W; i++) {
    c[0][i] = 0;
    d[0][i] = r[0][i];
    for (int j = 1; j < H - 1; j++) {
      double m = 1 / (1 + 2 * a + a * c[j - 1][i]);
      c[j][i] = -a * m;
      d[j][i] = (r[j][i] + a * d[j - 1][i]) * m;
    }
    u[H - 1][i] = r[H - 1][i];
    for (int j = H - 2; j >= 0; j--)
      u[j][i] = d[j][i] - c[j][i] * u[j + 1][i];
  }
}
int main(void) {
  for (int j = 0; j < H; j++)
    for (int i = 0; i < W; i++)
      u[j][i] = (i * 7 + j * 13) % 31 * .3;
  for (int step = 0; step < 8; step++) {
    along_columns(.7);
    solve_rows(.7);
    along_rows(.7);
    solve_columns(.7);
  }
  double sum = 0;
  for (int j = 0; j < H; j++)
    for (int i = 0; i < W; i++)
      sum = sum * .5 + u[j][i];
  printf("%a %a\n", sum, u[H / 2][W / 2]);
}
