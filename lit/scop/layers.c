// What stands still in an offset is a number of rows, and so is a product of several values: `w + l*dim*dim` in a network, the chunk
// that a thread of OpenMP begins with.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// The product of two values in a row's number: where they are nowhere else, rows begin there.
// CHECK: scop "beginning
// CHECK-NOT: p_expr
// CHECK: array M{{[0-9]}}_a {{.*}} origin
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_a[i0, i1] }
NI void beginning(double *restrict a, const double *restrict x, long n, long chunk, long t, long rows) {
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < n; j++)
      a[(chunk * t + i) * n + j] += x[j];
}

// Behind other layers, in 32 bits.
// CHECK: scop "layer
// CHECK: write { S{{[0-9]}}[{{.*}}] -> M{{[0-9]}}_out[i0] }
NI void layer(float *restrict out, const float *restrict in, const float *restrict w, int l, int dim) {
  for (int i = 0; i < dim; i++) {
    float s = 0;
    for (int j = 0; j < dim; j++)
      s += w[l * dim * dim + i * dim + j] * in[j];
    out[i] = s;
  }
}

// The same product as a bound.
// CHECK: scop "tokens
// CHECK: param [[ALL:p_expr_0]] = (mul
// CHECK-NOT: p_expr_1
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[ALL]]
NI void tokens(float *restrict out, const float *restrict in, int b, int t, int c) {
  for (int i = 0; i < b * t; i++)
    for (int j = 0; j < c; j++)
      out[(b * t - 1 - i) * c + j] = in[i * c + j] * .5f;
}

// The sign of a product.
NI void backwards(double *restrict a, long n, long m, long k) {
  for (long i = 0; i < -(m * k); i++)
    for (long j = 0; j < n; j++)
      a[(i - m * k) * n + j] += a[i * n + j];
}

#ifdef MAIN
#define N 30000
static double a[N], b[N];
static float f[N], g[N];
static void fill(void) {
  for (int i = 0; i < N; i++)
    a[i] = i * 37 % 101 * .25, b[i] = i * 53 % 97, f[i] = i * 29 % 83 * .5f, g[i] = 0;
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * .75 + a[i] + g[i];
  printf("%.17g\n", s);
}
int main(void) {
  for (int n = 0; n < 40; n += n < 4 ? 1 : 9)
    for (int k = -3; k < 4; k++) {
      fill(), beginning(a + N / 2, b, n, 5, k, 7), show();
      fill(), layer(g, f, f + N / 2, k, n), show();
      fill(), tokens(g, f, k, n, 11), show();
      fill(), tokens(g, f, 3, n, k), show();
      fill(), backwards(a + N / 2, n, k, 4), show();
    }
  // 2^16 times 2^16 is 0 in 32 bits: nothing runs.
  fill(), tokens(g, f, 65536, 65536, 3), show();
  fill(), tokens(g, f, 65536, -65535, 0), show();
}
#endif
