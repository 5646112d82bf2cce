// A search along the innermost loop keeps its order, and what it carries is in registers in either program: only threads gain.
// RUN: %clang -O3 -S -emit-llvm -o - %s | FileCheck %s
#define FOR(i, first, end) for (long i = first; i < end; i++)
// CHECK-LABEL: define {{.*}}@nearest(
// CHECK: call i64 @polytile.threads(i64
void nearest(long n, double *restrict x, double *restrict c, int *restrict a) {
  FOR(i, 0, n) {
    double best = 1e30;
    int at = 0;
    FOR(j, 0, 100) {
      double d = 0;
      FOR(k, 0, 4) d += (x[i * 4 + k] - c[j * 4 + k]) * (x[i * 4 + k] - c[j * 4 + k]);
      if (d < best) best = d, at = (int)j;
    }
    a[i] = at;
  }
}
