// A load from one of two places, in a nest that is transformed as part of a function and in one that is not: in loops that stay as they are it is one load
// through the pointer that was chosen again, which LLVM does not vectorize under masks.
// RUN: env "POLYTILE=min-work=0;report=off" %clang -O2 -march=native -fno-vectorize -Rpass=polytile -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=STAYS %s < %t.ll
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: %t.new | cmp - %t.expected
// CHECK: loop nest transformed
#include <stdio.h>
#define KERNEL __attribute__((noinline)) void
// STAYS: define {{.*}} @streamed(
// STAYS: select i1 {{.*}}, ptr {{.*}}, ptr
// STAYS-NEXT: load double, ptr
// STAYS: }
KERNEL streamed(long n, double *g, const double *f, const unsigned char *solid) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      g[i * n + j] = solid[i * n + j - 1] ? f[(n + i) * n + j] : f[i * n + j - 1];
}
KERNEL upwind(long n, double *g, const double *f, const double *v) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      long d = v[i * n + j] > 0 ? j - 1 : j;
      g[i * n + j] = f[i * n + d] * v[i * n + j] + f[(n + i) * n + d];
    }
}
// One way looks up where it loads from.
KERNEL looked_up(long n, double *g, const double *f, const double *v, const int *at) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      g[i * n + j] = 2 * v[i * n + j];
      g[i * n + j] += v[i * n + j] > 0 ? f[at[j]] : f[j + 1];
    }
}
#ifdef MAIN
enum { N = 60 };
static double f[2 * N * N], g[N * N], v[N * N];
static unsigned char solid[N * N];
int main(void) {
  static int at[N];
  for (int i = 0; i < N; i++)
    at[i] = i * 7 % 31;
  for (int i = 0; i < N * N; i++) {
    f[i] = i % 17;
    f[N * N + i] = i % 13;
    v[i] = i % 7 - 3;
    solid[i] = i % 5 == 0;
  }
  double sum = 0;
  for (long n = 0; n <= N; n += 5) {
    streamed(n, g, f, solid);
    for (int i = 0; i < N * N; i++)
      sum = sum * .75 + g[i];
    upwind(n, g, f, v);
    for (int i = 0; i < N * N; i++)
      sum = sum * .75 + g[i];
    looked_up(n, g, f, v, at);
    for (int i = 0; i < N * N; i++)
      sum = sum * .75 + g[i];
    printf("%a\n", sum);
  }
}
#endif
