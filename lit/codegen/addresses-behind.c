// Addresses that are computed behind a nest for what comes then, from nothing that the nest computes: they are known in front of it, and the nest
// hands none of them on.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

__attribute__((optnone, noinline)) double taken(double *begin, double *end) {
  double all = 0;
  for (double *p = begin; p != end && *p < 1e9; p++)
    all += *p, *p /= 2;
  return all;
}

// CHECK: addresses-behind.c:[[@LINE+3]]:3: {{.*}}: loop nest transformed: 1 statement
__attribute__((noinline)) double sum(int n, int m, double *f, const double *w) {
  // No place that the nest goes to in particular.
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      f[(long)i * m + j] += w[(long)i * m + j] * 2;
  return taken(f + 1, f + n);
}

// The same under a condition, where there may be no such place.
// CHECK: addresses-behind.c:[[@LINE+4]]:5: {{.*}}: loop nest transformed: 1 statement
__attribute__((noinline)) double perhaps(int n, int m, double *f, const double *w) {
  double all = 0;
  if (f) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        f[(long)i * m + j] -= w[(long)i * m + j] * 3;
    all = taken(f + 1, f + n);
  }
  return all;
}

int main(void) {
  for (int n = 1; n < 90; n += 29)
    for (int m = 4; m < 90; m += 17) {
      double *f = malloc(n * m * sizeof *f), *w = malloc(n * m * sizeof *w);
      for (int i = 0; i < n * m; i++)
        f[i] = i * 7 % 19, w[i] = i * 5 % 23;
      double a = sum(n, m, f, w), b = perhaps(n, m, f, w), c = perhaps(n, m, NULL, w), all = 0;
      for (int i = 0; i < n * m; i++)
        all = all * 3 + f[i];
      printf("%a %a %a %a\n", a, b, c, all);
      free(f), free(w);
    }
}
