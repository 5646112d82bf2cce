// With `-ffp-contract=fast`, and in Fortran, the back end decides which product a sum takes up. The new version does what the back end
// will do; where that cannot be foreseen, the nest stays as it is.
// RUN: %clang -O2 -g1 -march=x86-64-v3 -ffp-contract=fast -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-min-work=0 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O2 -march=native -ffp-contract=fast -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O2 -march=native -ffp-contract=fast -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: %clang -O2 -march=x86-64-v3 -ffp-contract=fast -mllvm -polytile-dump=scop -mllvm -polytile-only=product -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=FUSED
#define N 60

// Without fused operations there is nothing to foresee; in the compile step of LTO there is more to come.
// RUN: %clang -O2 -g1 -ffp-contract=fast -Rpass-missed=polytile -mllvm -polytile-min-work=0 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=APART --allow-empty
// RUN: %clang -O2 -g1 -march=x86-64-v3 -ffp-contract=fast -flto -Rpass=polytile -Rpass-missed=polytile -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=LTO
// APART-NOT: two ways
// LTO-NOT: loop nest transformed
// LTO: two ways

// FUSED: op v{{[0-9]+}} fmuladd n
// CHECK: rounding.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void product(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] -= a[i][k] * b[k][j];
}

// Two products: the first is taken up.
// CHECK: rounding.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void scaled(int n, double x, double y, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[j][i] = x * a[j][i] - y * b[i][j];
      b[i][j] = c[j][i] + (x - a[j][i]);
    }
}

// A product that is used twice is rounded on its own; its copies would not be.
// CHECK: rounding.c:[[@LINE+2]]:3: remark: loop nest not transformed: the compiler may round a sum of products in two ways
__attribute__((noinline)) void twice(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double p = a[j][i] * b[i][j];
      c[j][i] += p;
      a[j][i] = p;
    }
}

// Real and imaginary parts share factors, and become sums and differences in turn: one instruction, which takes up the first products.
// CHECK: rounding.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void pairs(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j += 2) {
      double re = a[i][j] * b[j][i] - a[i][j + 1] * b[j + 1][i];
      double im = a[i][j] * b[j + 1][i] + a[i][j + 1] * b[j][i];
      c[i][j] += re;
      c[i][j + 1] += im;
    }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N][N], c[N][N];

int main(void) {
  int sizes[] = {0, 1, 7, 32, 58, 60};
  for (int s = 0; s < 6; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = (i * 7 + j * 13) % 31 * 0.0037;
        b[i][j] = (i + j * 5) % 57 * 0.11 - 2.9;
        c[i][j] = (i * 3 + j * 11) % 17 * 0.7;
      }
    product(sizes[s], c, a, b);
    scaled(sizes[s], 1.1, 0.3, c, a, b);
    twice(sizes[s], c, a, b);
    pairs(sizes[s] & ~1, c, a, b);
    fwrite(a, sizeof a, 1, stdout);
    fwrite(b, sizeof b, 1, stdout);
    fwrite(c, sizeof c, 1, stdout);
  }
}
#endif
