// Stores of one iteration whose values are chosen by the same conditions share the branches, and what is computed behind them. Where vectors
// would divide for iterations that the program passes over, one thread runs the original.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s
// RUN: env "POLYTILE=dump=model" %clang -O3 -march=x86-64-v3 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#pragma STDC FP_CONTRACT OFF
#define NI __attribute__((noinline))

// CHECK-LABEL: define {{.*}}@forces.polytile.{{[a-z]*}}team
// CHECK-COUNT-1: fdiv
// CHECK-NOT: fdiv
// CHECK: define
// MODEL: model forces 0 candidate plan
NI void forces(int n, const double *x, const double *y, const double *z, double *fx, double *fy, double *fz, double cut) {
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      if (j == i)
        continue;
      double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      double r = dx * dx + dy * dy + dz * dz;
      if (r < cut) {
        double s = 1 / r, t = s * s * s, f = 24 * t * (2 * t - 1) * s;
        ax += f * dx, ay += f * dy, az += f * dz;
      }
    }
    fx[i] = ax, fy[i] = ay, fz[i] = az;
  }
}

#ifdef MAIN
#include <stdio.h>
enum { N = 333 };
static double x[N], y[N], z[N], f[3][N];

int main(void) {
  for (int i = 0; i < N; i++)
    x[i] = i * 37 % 101 * 0.01 + i * 1e-4, y[i] = i * 53 % 97 * 0.013, z[i] = i * 29 % 89 * 0.011;
  for (double cut = 0; cut < 1; cut += 0.2) {
    forces(N, x, y, z, f[0], f[1], f[2], cut);
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < N; i++)
        printf("%a\n", f[k][i]);
  }
}
#endif
