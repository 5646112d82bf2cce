// Functions of the C library set `errno`. Square roots of numbers that may be below zero run in lanes, and one call behind the loop says what
// they had to say; calls that yield the same in all iterations are made in front of the loop, if it has one.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v3 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=1;verify=on" %clang -O3 -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=1;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=1;verify=on" %clang -O3 -march=x86-64 -DMAIN %s -o %t.narrow -lm && %t.narrow | cmp - %t.expected
#include <errno.h>
#include <math.h>
#pragma STDC FP_CONTRACT OFF
#define NI __attribute__((noinline))

// IR-LABEL: define {{.*}}@speed.polytile
// IR: call <4 x double> @llvm.sqrt.v4f64
// IR: call {{.*}}@sqrt{{f?}}({{.*}} -1.0
NI void speed(int n, int m, double g, const double *p, const double *rho, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] = sqrt(g * p[i * m + j] / rho[i * m + j]);
}

// CHECK: S1();
// CHECK-NEXT: parallel
// CHECK-NEXT: for (c0 = 0; c0 <= (p0 - 1); c0 += 1)
// CHECK-NEXT: S0(c0);
// IR-LABEL: define {{.*}}@moments.polytile
// IR: call float @powf
// IR: call <8 x float> @llvm.sqrt.v8f32
NI void moments(int n, float *p, float *v, const float *g, float b, int t) {
  for (int i = 0; i < n; i++) {
    float w = b * v[i] + (1 - b) * g[i] * g[i];
    v[i] = w;
    p[i] -= g[i] / (sqrtf(w / (1 - powf(b, t))) + 1e-5f);
  }
}

// CHECK: for (c0 = 0; c0 <= (min(p0, p1) - 1); c0 += 1)
// CHECK-NEXT: S1(c0);
// CHECK: // vector
// CHECK-NEXT: for
// CHECK-NEXT: S0(c2, c3);
NI void decayed(int n, int m, double dt, const double *k, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++)
      c[i * m + j] *= exp(-k[i] * dt);
}

// A root under a condition is computed there.
// IR-LABEL: define {{.*}}@positive.polytile
// IR-NOT: call {{.*}}llvm.sqrt.v
NI void positive(int n, int m, const double *p, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (p[i * m + j] > -0.25)
        c[i * m + j] = sqrt(p[i * m + j]);
}

// What a maximum is taken of is computed in lanes of strips.
// IR-LABEL: define {{.*}}@fastest.polytile
// IR: call <4 x double> @llvm.sqrt.v4f64
NI double fastest(int n, int m, double g, const double *p, const double *rho, double s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double c = fabs(rho[i * m + j]) + sqrt(g * p[i * m + j] / rho[i * m + j]);
      if (c > s)
        s = c;
    }
  return s;
}

#ifdef MAIN
#include <stdio.h>
#include <string.h>
enum { N = 70, M = 90 };
static double p[N * M], rho[N * M], c[N * M], k[N];
static float q[N * M], v[N * M], g[N * M];

static unsigned bytes(const void *data, int size) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)data)[i]) * 16777619u;
  return hash;
}

static void told(const char *name, const void *data, int size) {
  printf("%s: errno %d, %08x\n", name, errno, bytes(data, size));
  errno = 0;
}

static void all(double low, double decay, float b, int m) {
  for (int i = 0; i < N * M; i++) {
    p[i] = i * 37 % 101 * 0.01 + low;
    rho[i] = 1 + i % 7;
    q[i] = i % 13, v[i] = i * 7 % 11 * 0.125f, g[i] = i * 5 % 17 * 0.25f;
  }
  for (int i = 0; i < N; i++)
    k[i] = i * 0.5;
  errno = 0;
  speed(N, m, 1.4, p, rho, c);
  told("speed", c, sizeof c);
  moments(N * m, q, v, g, b, 3);
  told("moments", q, sizeof q);
  decayed(N, m, decay, k, p);
  told("decayed", p, sizeof p);
  positive(N, m, p, c);
  told("positive", c, sizeof c);
  c[0] = fastest(N, m, 1.4, p, rho, 0);
  told("fastest", c, sizeof *c);
}

int main(void) {
  all(0, 0.1, 0.9f, M);
  all(-0.3, -1e3, -0.9f, M);
  all(0, 1, 1.5f, M - 1);
  all(-0.005, 1, 0.9f, 1);
  all(-0.3, -1e3, -0.9f, 0);
  p[5] = -0.0, p[6] = NAN, p[7] = INFINITY;
  speed(N, M, 1, p, rho, c);
  told("zero and more", c, sizeof c);
}
#endif
