// Square roots of what cannot be below zero leave errno alone: they have lanes in the new version, and the original goes on calling.
// RUN: %clang -O3 -march=native -fopenmp -S -emit-llvm %s -o - | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <errno.h>
#include <math.h>
#include <stdio.h>

// CHECK-LABEL: define {{.*}}@near(
// CHECK-NOT: {{^}}}
// CHECK: call double @sqrt(
// CHECK-LABEL: define {{.*}}@near.polytile
// CHECK: call <{{[0-9]+}} x double> @llvm.sqrt.v
__attribute__((noinline)) void near(int n, const double *restrict x, const double *restrict y, double *restrict d) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
      double e[2] = {x[i] - x[j], y[i] - y[j]}, r = .25;
      for (int k = 0; k < 2; k++)
        r += e[k] * e[k];
      s += 1 / (r * sqrt(r));
    }
    d[i] = s;
  }
}

// What may be below zero is called, and errno is set.
__attribute__((noinline)) void roots(int n, const double *restrict x, const double *restrict y, double *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i] += sqrt(x[i] - y[j]);
}

int main(void) {
  enum { N = 70 };
  double x[N], y[N], d[N];
  for (int i = 0; i < N; i++) {
    x[i] = i % 7 * .5;
    y[i] = i % 11 * .25;
  }
  near(N, x, y, d);
  fwrite(d, sizeof d, 1, stdout);
  errno = 0;
  roots(N, x, y, d);
  printf("%d\n", errno);
}
