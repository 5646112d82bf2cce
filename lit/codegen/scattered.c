// Parallel iterations that store far apart are no reason for scatters, which take longer than stores one by one. Where
// the statements of an iteration fill the gaps together, vectors stay.
// RUN: env POLYTILE=parallel=all %clang -O3 -march=znver5 -fopenmp -S -o - %s | FileCheck %s
// CHECK-LABEL: every_second.polytile.team:
// CHECK-NOT: scatter
// CHECK-LABEL: by_steps.polytile.team:
// CHECK-NOT: scatter
// CHECK-LABEL: pairs.polytile.team:
// CHECK: zmm
// CHECK-LABEL: pairs.polytile.task:
#define NI __attribute__((noinline))

NI void every_second(long n, int *restrict a, int *restrict b, int *restrict c, int *restrict d) {
  for (long i = 0; i < n; i++) {
    a[i] = b[2 * i] - d[i];
    b[2 * i] = a[i] + c[2 * i];
  }
}

NI void by_steps(long n, long step, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    a[i * step] += b[i];
}

NI void pairs(long n, float *restrict a, float *restrict b, float *restrict c) {
  for (long i = 0; i < n; i++) {
    a[2 * i] = b[i] + c[i];
    a[2 * i + 1] = b[i] - c[i];
  }
}
