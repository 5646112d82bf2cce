// A register tile is a function of addresses, strides and what exists of it, so that products of other arrays, sizes and index types share it; one of
// few steps stays where it is, and so does one whose rows a table places.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=znver4 -S -emit-llvm %s -o %t.ll
// RUN: opt-22 -passes=verify -disable-output %t.ll && FileCheck %s --input-file=%t.ll
// RUN: %plainclang -O3 -march=native -ffp-contract=on -DMAIN %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -ffp-contract=on -DMAIN %s -o %t.new
// RUN: %t.plain > %t.expected && %t.new | diff %t.expected -
//
// CHECK-NOT: define {{.*}}.polytile.tile
// CHECK: define internal void @of_{{ints|rows}}.polytile.tile(
// CHECK-NOT: define {{.*}}.polytile.tile
typedef double real;
void of_ints(int n, real *restrict c, const real *restrict a, const real *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void of_rows(long n, long m, long l, real (*restrict c)[m], real (*restrict a)[l], real (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < l; k++)
      for (long j = 0; j < m; j++)
        c[i][j] += a[i][k] * b[k][j];
}
void few_steps(long n, real (*restrict c)[n], real (*restrict a)[8], real (*restrict b)[n]) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 8; k++)
      for (long j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j];
}
void by_table(int n, real **restrict c, real **restrict a, real **restrict b) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j];
}
#ifdef MAIN
#include <stdio.h>
enum { MOST = 96 };
static real a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], *ra[MOST], *rb[MOST], *rc[MOST];
static void show(const char *name, int n) {
  unsigned long sum = 0;
  for (int i = 0; i < MOST * MOST; i++) {
    union { real value; unsigned long bits; } cell = {c[i]};
    sum = sum * 31 + cell.bits;
    c[i] = i % 5;
  }
  printf("%s %d: %lx\n", name, n, sum);
}
int main() {
  for (int i = 0; i < MOST * MOST; i++)
    a[i] = 1.0 / (i + 1), b[i] = i % 7 * .3;
  for (int n = 0; n < MOST; n += n < 30 ? 1 : 13) {
    for (int i = 0; i < n; i++)
      ra[i] = a + i * n, rb[i] = b + i * MOST, rc[i] = c + i * MOST;
    of_ints(n, c, a, b), show("ints", n);
    of_rows(n, n / 2 + 1, MOST - n, (void *)c, (void *)a, (void *)b), show("rows", n);
    few_steps(n, (void *)c, (void *)a, (void *)b), show("few", n);
    by_table(n, rc, ra, rb), show("table", n);
  }
}
#endif
