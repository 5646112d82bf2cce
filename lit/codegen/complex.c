// Products and quotients of complex numbers call a function where they are no numbers, and that is all that it does.
// RUN: %clang -O3 -march=znver4 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex z;

// CHECK: complex.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
__attribute__((noinline)) void product(int n, z alpha, const z *a, const z *b, z *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      z s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] += alpha * s;
    }
}

__attribute__((noinline)) void each(int n, int m, const z *restrict a, const z *restrict b, z *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] = a[i * m + j] * b[j] / (a[i * m + j] + 1.5);
}

__attribute__((noinline)) void floats(int n, int m, const float complex *restrict a, const float complex *restrict b, float complex *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] -= a[i * m + j] * b[j];
}

#ifdef MAIN
static double number(unsigned i, int odd) {
  double x = (i * 37 % 101) * .125 - 5;
  return !odd || i % 29 ? x : i % 58 ? INFINITY : i % 87 ? -INFINITY : NAN;
}

int main(void) {
  for (int odd = 0; odd < 2; odd++)
    for (int n = 0; n < 50; n += n / 2 + 1) {
      z *a = malloc(16 * n * n + 1), *b = malloc(16 * n * n + 1), *c = malloc(16 * n * n + 1);
      float complex *f = malloc(8 * n * n + 1), *g = malloc(8 * n * n + 1);
      for (int i = 0; i < n * n; i++) {
        a[i] = __builtin_complex(number(i, odd), number(3 * i + 1, odd));
        b[i] = __builtin_complex(number(5 * i + 2, odd), number(7 * i, odd));
        c[i] = __builtin_complex(i % 3 + .0, -i % 5 + .0);
        f[i] = a[i], g[i] = c[i];
      }
      product(n, __builtin_complex(.5, -2.), a, b, c);
      for (int i = 0; i < n * n; i++)
        printf("%a %a\n", fabs(creal(c[i])), fabs(cimag(c[i])));
      each(n, n, a, b, c);
      floats(n, n, f, f, g);
      for (int i = 0; i < n * n; i++)
        printf("%a %a %a %a\n", fabs(creal(c[i])), fabs(cimag(c[i])), fabsf(crealf(g[i])), fabsf(cimagf(g[i])));
      free(a), free(b), free(c), free(f), free(g);
    }
}
#endif
