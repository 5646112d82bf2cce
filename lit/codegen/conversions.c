// Conversions to the nearest integer by the C library (`lrintf`) are instructions: what they yield in each rounding mode, of numbers that are too large or
// none, is the same.
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O3 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new -lm
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v3 -DMAIN %s -o %t.narrow -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: %t.narrow | cmp - %t.expected
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

// CHECK-LABEL: define {{.*}} @quantized.polytile
// CHECK: call <{{[0-9]+}} x i64> @llvm.lrint.v{{[0-9]+}}i64.v{{[0-9]+}}f32
__attribute__((noinline)) void quantized(int n, const float *restrict x, short *restrict to, const int *restrict q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++)
      to[i * 64 + j] = (short)lrintf(x[i * 64 + j] / q[j]);
}

// Several of them.
__attribute__((noinline)) void longs(int n, const double *restrict x, long long *restrict to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++)
      to[i * 64 + j] = llrint(x[i * 64 + j] * 1.5) + lrint(x[i * 64 + j]);
}

// What has no instruction is called as often as before.
// CHECK-LABEL: define {{.*}} @rounded.polytile
// CHECK: call i64 @lround(double
__attribute__((noinline)) void rounded(int n, const double *restrict x, long long *restrict to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++)
      to[i * 64 + j] = lround(x[i * 64 + j] * 2.5);
}

#ifdef MAIN
static float x[64 * 64];
static double y[64 * 64];
static short shorts[64 * 64];
static long long wide[64 * 64];

int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  static const double odd[] = {0.5, -0.5, 1.5, 2.5, -0.0, 1e30, -1e30, 9.2233720368547758e18, -9.2233720368547758e18, 4503599627370497.5};
  int q[64];
  for (int j = 0; j < 64; j++)
    q[j] = 1 + j % 5;
  for (int i = 0; i < 64 * 64; i++) {
    y[i] = i % 3 ? (i * 37 % 1001 - 500) * .25 : odd[i / 3 % 10];
    y[i] = i % 97 == 96 ? NAN : i % 97 == 95 ? INFINITY : y[i];
    x[i] = (float)y[i];
  }
  for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    errno = 0;
    quantized(64, x, shorts, q);
    longs(64, y, wide);
    fesetround(FE_TONEAREST);
    printf("%d\n", errno);
    for (int i = 0; i < 64 * 64; i++)
      printf("%d %lld\n", shorts[i], wide[i]);
    rounded(64, y, wide);
    for (int i = 0; i < 64 * 64; i++)
      printf("%lld\n", wide[i]);
  }
}
#endif
