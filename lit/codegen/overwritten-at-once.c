// A store that another one may overwrite at once is one with it, under whichever condition the first one stands: what the second one looks at is what
// the first one stores, and both computed it. What both arms of a branch share is computed once as well.
// RUN: env "POLYTILE=dump=ast;min-work=0" %clang -O3 -march=native -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new -lm
// RUN: %t.new > %t.actual
// RUN: cmp %t.expected %t.actual
#include <math.h>
#include <stdio.h>

// CHECK: S0(c0);
// CHECK-NOT: S1
__attribute__((noinline)) void clamped(long n, double *restrict p, const double *restrict b, const double *restrict e, const double *restrict v) {
  for (long i = 0; i < n; i++) {
    p[i] = b[i] * e[i];
    if (fabs(p[i]) < .25)
      p[i] = 0;
    if (v[i] >= .5)
      p[i] = -1;
  }
}

// CHECK: S0(c0);
// CHECK-NOT: S1
__attribute__((noinline)) void inside(long n, double *restrict q, const double *restrict d, const double *restrict e) {
  for (long i = 0; i < n; i++)
    if (d[i] <= 0.25) {
      q[i] = e[i] / (d[i] + 2);
      if (q[i] < .1)
        q[i] = 0;
    }
}

// CHECK: S0(c0);
// CHECK-NOT: S1
__attribute__((noinline)) void arms(long n, double *restrict q, double *restrict p, const double *restrict d, const double *restrict e) {
  for (long i = 0; i < n; i++) {
    if (d[i] > 0.25)
      q[i] = 0;
    else {
      double s = (p[i] + e[i]) / 3;
      q[i] = s <= .1 ? .3 : sqrt(s);
    }
    p[i] += d[i] * (e[i] - 4 * q[i]);
  }
}

// Conditions of which none implies the other: both stores stay.
// CHECK: S0(c0);
// CHECK: S1(c0);
__attribute__((noinline)) void either(long n, double *restrict q, const double *restrict d, const double *restrict e) {
  for (long i = 0; i < n; i++) {
    if (d[i] <= .25)
      q[i] = e[i] / (d[i] + 2);
    if (e[i] > .1)
      q[i] = d[i] / (e[i] + 2);
  }
}

#ifdef MAIN
enum { N = 1003 };
static double p[N], q[N], d[N], e[N], v[N];
int main(void) {
  for (int i = 0; i < N; i++) {
    d[i] = (i * 37 % 101 - 50) / 50.;
    e[i] = (i * 53 % 97 - 48) / 48.;
    v[i] = (i * 29 % 89) / 89.;
    q[i] = i;
  }
  double sum = 0;
  for (long n = 0; n <= N; n += 17) {
    clamped(n, p, d, e, v);
    for (int i = 0; i < N; i++)
      sum += p[i] * (i + 1);
    inside(n, q, d, e);
    for (int i = 0; i < N; i++)
      sum += q[i] * (i + 1);
    arms(n, q, p, d, e);
    for (int i = 0; i < N; i++)
      sum += q[i] * (i + 1) + p[i];
    either(n, q, d, e);
    for (int i = 0; i < N; i++)
      sum += q[i] * (i + 1);
    printf("%a\n", sum);
  }
}
#endif
