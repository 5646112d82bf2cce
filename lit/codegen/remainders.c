// Loops that LLVM makes no vectors of, as they fill an array with remainders of 64 bits, are not fused with one of which it does: that would run
// one by one, too. Without the remainders all three are one loop.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: for (c0 = 0;
// CHECK-NEXT: S0(c0);
// CHECK: for (c1 = 0;
// CHECK-NEXT: S1(c1);
// CHECK: for (c2 = 0;
// CHECK-NEXT: S2(c2);
// CHECK: for (c0 = 0;
// CHECK-NEXT: {
// CHECK-NEXT: S0(c0);
// CHECK-NEXT: S1(c0);
// CHECK-NEXT: S2(c0);
void divided(long n, float *restrict u, float *restrict v, float *restrict w, float *restrict y) {
  for (long i = 0; i < n; i++)
    u[i] = (float)((i * 7 + 1) % 97) / 97;
  for (long i = 0; i < n; i++)
    v[i] = (float)((i * 7 + 18) % 97) / 97 + 1;
  for (long k = 0; k < n; k++) {
    y[k] = u[k] / v[k];
    w[k] = u[k] / (y[k] * y[k] + 1);
  }
}
void filled(long n, float *restrict u, float *restrict v, float *restrict w, float *restrict y) {
  for (long i = 0; i < n; i++)
    u[i] = (float)(i * 7 + 1) / 97;
  for (long i = 0; i < n; i++)
    v[i] = (float)(i * 7 + 18) / 97 + 1;
  for (long k = 0; k < n; k++) {
    y[k] = u[k] / v[k];
    w[k] = u[k] / (y[k] * y[k] + 1);
  }
}
