// A flux with several ways out goes to the cells on both sides: two statements of one iteration, which the new version computes once for, and branches
// once for all components. Bits are the program's.
// RUN: clang++-22 -O1 -march=native -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;only=residual" %clangxx -O3 -march=native -ffp-contract=off -fno-vectorize -fno-unroll-loops -fopenmp -S -emit-llvm %s -o - | FileCheck %s
#include <cmath>
#include <cstdio>
#include <vector>

struct State {
  double r, m, e;
};

static State flux(const State &l, const State &r) {
  const double ul = l.m / l.r, ur = r.m / r.r, s = std::sqrt(l.e / l.r + r.e / r.r);
  if (ul - s >= 0)
    return {l.m, l.m * ul, l.e * ul};
  if (ur + s <= 0)
    return {r.m, r.m * ur, r.e * ur};
  const double f = 1 / (ur - ul + 2 * s);
  return {(l.m - r.m) * f, (l.m * ul - r.m * ur) * f, (l.e * ul - r.e * ur) * f};
}

// CHECK-LABEL: define internal {{.*}}@residual.polytile.team(
// There are four loops: in tiles or not, on threads or not.
// CHECK-COUNT-4: fdiv double 1.000000e+00
// CHECK-NOT: fdiv double 1.000000e+00
// CHECK: {{^}$}}
extern "C" __attribute__((noinline)) void residual(const std::vector<State> &q, std::vector<State> &res, int nx, int ny) {
  for (int j = 0; j < ny; j++)
    for (int i = 1; i < nx; i++) {
      const State f = flux(q[j * nx + i - 1], q[j * nx + i]);
      State &left = res[j * nx + i - 1], &right = res[j * nx + i];
      left.r -= f.r, left.m -= f.m, left.e -= f.e;
      right.r += f.r, right.m += f.m, right.e += f.e;
    }
}

int main() {
  const int nx = 70, ny = 50;
  std::vector<State> q(nx * ny), res(nx * ny);
  for (int i = 0; i < nx * ny; i++)
    q[i] = {1 + i % 7 * 0.1, (i % 5 - 2) * 1.5, i % 9 == 4 ? -1.0 : 2 + i % 3 * 0.1};
  for (int t = 0; t < 3; t++)
    residual(q, res, nx, ny);
  double sum = 0;
  for (const State &s : res)
    if (s.r == s.r && s.m == s.m && s.e == s.e)
      sum = sum * 0.75 + s.r + 2 * s.m + 3 * s.e;
  std::printf("%a\n", sum);
}
