// Subscripts of 32 bits that multiply sizes with iterators: `i*n + j` is row i and column j wherever it does not wrap, and that is
// checked by its extremes at run time, since no set of parameters expresses it.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define NI __attribute__((noinline))

// A diagonal beside rows: LLVM writes it as i*(n + 1), and drops the promise that it does not wrap.
// CHECK: scop "diagonal
// CHECK: poly-range -2147483648 2147483647
// CHECK-NEXT: times { [i0] : 0 <= i0 < [[N:pn_0]] }
// CHECK-NEXT: times [[N]] { [i0] : 0 <= i0 < [[N]] }
// CHECK: write { S0[i0, i1] -> [[A:M[0-9]_a]][i0, i1] }
// CHECK: write { S1[i0] -> [[A]][i0, i0] }
NI void diagonal(int n, double *a) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      a[i * n + j] *= 2;
    a[i * n + i] = 1;
  }
}

// CHECK: scop "eliminated
// CHECK: poly-range 0 4294967295
// CHECK: write { S1[i0, i1, i2] -> [[A:M[0-9]_a]][1 + i0 + i1, 1 + i0 + i2] }
NI void eliminated(unsigned n, double *a) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (unsigned j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

// CHECK: scop "blurred
// CHECK: poly-range -2147483648 2147483647
// CHECK: read { S0[i0, i1] -> M{{[0-9]}}_src[{{[0-9 +]*}}i0, {{[0-9 +]*}}i1] }
NI void blurred(const float *restrict src, float *restrict dst, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += src[(y + i) * w + (x + j)];
      dst[y * w + x] = s;
    }
}

// A product of sizes as a bound is a parameter.
// CHECK: scop "tokens
// CHECK: param p_expr_0 = (mul
// CHECK: domain { S0[i0, i1] : 0 <= i0 < p_expr_0 and 0 <= i1 < {{.*}} }
NI void tokens(int b, int t, int c, const float *restrict in, float *restrict out) {
  for (int i = 0; i < b * t; i++)
    for (int j = 0; j < c; j++)
      out[i * c + j] = in[i * c + j] * 2;
}

// What is checked in front of each access holds for all of them if it holds for the last.
// CHECK: scop "checked
// CHECK: poly-range 1 *
// CHECK-NEXT: times { [i0] : -[[N:pn_[0-9]]] < i0 <= 0 }
// CHECK-NEXT: times [[N]] { [i0] : -[[N]] < i0 <= 0 }
// CHECK-NEXT: times plen_{{[0-9]}} { [1] : {{.*}} }
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_c[i0, i1] }
NI void checked(long n, long len, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++) {
        if (i * n + k >= len || k * n + j >= len || i * n + j >= len)
          abort();
        c[i * n + j] += a[i * n + k] * b[k * n + j];
      }
}

// A condition in front of a nest that is not affine does not end the nest.
// CHECK: scop "behind
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]}}_c[i0, i1] }
NI void behind(long n, long len, const double *restrict a, const double *restrict b, double *restrict c) {
  if (len != n * n)
    abort();
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// 16 bits that really wrap: the original version runs.
NI void wrapping(unsigned short n, unsigned short m, float *a) {
  for (unsigned short i = 0; i < m; i++)
    for (unsigned short j = 0; j < n; j++)
      a[(unsigned short)(i * n + j)] += i * 3 + j;
}

#ifdef MAIN
#define N 67
static double a[N * N], b[N * N], c[N * N];
static float f[65536], g[65536];
static void fill(void) {
  for (int i = 0; i < N * N; i++) {
    a[i] = (i * 37 % 101) * .25 + (i % (N + 1) == 0 ? 50 : 0);
    b[i] = (i * 53 % 97) * .5;
    c[i] = i % 7;
  }
  for (int i = 0; i < 65536; i++)
    f[i] = i * 29 % 251, g[i] = 0;
}
static void show(const double *x) {
  double s = 0;
  for (int i = 0; i < N * N; i++)
    s = s * .75 + x[i];
  printf("%.17g\n", s);
}
static void show_floats(const float *x) {
  float s = 0;
  for (int i = 0; i < 65536; i++)
    s = s * .75f + x[i];
  printf("%.9g\n", s);
}
int main(void) {
  for (int n = 0; n <= N; n += n < 5 ? 1 : 31) {
    fill(), diagonal(n, a), show(a);
    fill(), eliminated(n, a), show(a);
    fill(), blurred(f, g, n, N), show_floats(g);
    fill(), tokens(n, 7, 11, f, g), show_floats(g);
    fill(), checked(n, N * N, a, b, c), show(c);
    fill(), behind(n, n * n, a, b, c), show(c);
    fill(), wrapping(n, 5, f), show_floats(f);
  }
  fill(), wrapping(300, 500, f), show_floats(f);
  fill(), wrapping(256, 256, f), show_floats(f);
}
#endif
