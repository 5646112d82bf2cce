// Sums in fields of structures whose other fields are read: forces of bodies. What they share is computed once for all of them.
// RUN: %clang -O2 -g1 -march=x86-64-v3 -ffp-contract=off -mllvm -polytile-only=attract -S -emit-llvm -o - %s | FileCheck %s
// RUN: clang-22 -O1 -march=native -ffp-contract=off %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -lm -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: define internal {{.*}}@attract.polytile
// CHECK: call double @llvm.sqrt.f64
// CHECK-NOT: call double @llvm.sqrt.f64
// CHECK: {{^}}}
#include <math.h>
#include <stdio.h>

typedef struct {
  double p[3], f[3], m, potential;
} Body;

__attribute__((noinline)) void attract(Body *b, int n) {
  for (int i = 0; i < n; i++) {
    double x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
      double dx = b[j].p[0] - b[i].p[0], dy = b[j].p[1] - b[i].p[1], dz = b[j].p[2] - b[i].p[2];
      double r2 = dx * dx + dy * dy + dz * dz + 1e-4;
      double s = b[j].m / (r2 * sqrt(r2));
      x += s * dx;
      y += s * dy;
      z += s * dz;
    }
    b[i].f[0] = x;
    b[i].f[1] = y;
    b[i].f[2] = z;
  }
}

// The sums are read by the next ones: nothing may run before what it reads.
__attribute__((noinline)) void relax(Body *b, int n) {
  for (int i = 0; i < n; i++) {
    double x = b[i].f[0], y = b[i].f[1];
    for (int j = 0; j < n; j++) {
      double s = sqrt(fabs(b[j].p[0] - b[j].f[2]) + 1);
      x += s * b[j].m;
      y -= s * b[j].potential;
    }
    b[i].f[0] = x;
    b[i].potential = y;
  }
}

int main(void) {
  static Body b[61];
  for (int n = 0; n <= 61; n += n < 3 ? 1 : 29) {
    for (int i = 0; i < n; i++) {
      b[i].m = 1 + i % 3;
      for (int d = 0; d < 3; d++)
        b[i].p[d] = i * (d + 7) % 23 * .125;
    }
    attract(b, n);
    relax(b, n);
    for (int i = 0; i < n; i++)
      printf("%a %a %a %a\n", b[i].f[0], b[i].f[1], b[i].f[2], b[i].potential);
  }
}
