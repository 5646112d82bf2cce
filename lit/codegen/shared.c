// Sums in both directions of a matrix: the rows of a square are loaded once, taken as they are by the sum down the columns and
// transposed for the sum along the rows.
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=znver4 -fno-discard-value-names -S -emit-llvm -o %t.ll %s
// RUN: FileCheck --check-prefix=BOTH --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=TURNED --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=NORMAL --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=BESIDE --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=SAME --input-file=%t.ll %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=native -DMAIN %s -o %t.one && %t.one | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.wide
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.wide | cmp - %t.expected
// RUN: %plainclang -O1 -march=x86-64-v3 -DMAIN %s -o %t.plain3 && %t.plain3 > %t.expected3
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64-v3 -DMAIN %s -o %t.narrow && %t.narrow | cmp - %t.expected3
#define N 230
#define NEST(NAME, T, ...)                                                                                     \
  void NAME(int n, int m, T (*restrict a)[N + 1], T *restrict x, T *restrict y, T *restrict u, T *restrict v) { \
    __VA_ARGS__                                                                                                \
  }
#define FOR(i, first, end) for (int i = first; i < end; i++)
//
// BOTH: define internal {{.*}}@both.polytile.team
// BOTH: polytile.steps:
// BOTH-COUNT-9: load <8 x double>
// BOTH-COUNT-8: call <8 x double> @llvm.fma.v8f64
// BOTH-COUNT-8: load <8 x double>
// BOTH-COUNT-8: call <8 x double> @llvm.fma.v8f64
// BOTH: store <8 x double>
// BOTH-NOT: {{load|store}} <8 x double>
// BOTH-COUNT-16: call <8 x double> @llvm.fma.v8f64
// BOTH-NOT: {{load|store}} <8 x double>
// BOTH: br i1
NEST(both, double, FOR(i, 0, n) FOR(j, 0, m) { y[j] += x[i] * a[i][j]; u[i] += a[i][j] * v[j]; })
//
// Two nests, of which the second walks down the columns.
// TURNED: define internal {{.*}}@turned.polytile.team
// TURNED: polytile.shared
NEST(turned, double, FOR(i, 0, n) FOR(j, 0, m) u[i] += a[i][j] * x[j]; FOR(j, 0, m) FOR(i, 0, n) y[j] -= a[i][j] * v[i];)
//
// One needs all of the other on a row: one after the other, on a block of rows.
// NORMAL: define internal {{.*}}@normal.polytile.team
// NORMAL-NOT: polytile.shared
// NORMAL: define
NEST(normal, double, FOR(i, 0, n) { FOR(j, 0, m) u[i] += a[i][j] * x[j]; FOR(j, 0, m) y[j] += a[i][j] * u[i]; })
//
// Not the same elements.
// BESIDE: define internal {{.*}}@beside.polytile.team
// BESIDE-NOT: polytile.shared
// BESIDE: define
NEST(beside, double, FOR(i, 0, n) FOR(j, 0, m) { y[j] += x[i] * a[i][j]; u[i] += a[i][j + 1] * v[j]; })
//
// The sum along the rows takes what the other writes.
// SAME: define internal {{.*}}@same.polytile.team
// SAME-NOT: polytile.shared
// SAME: define
NEST(same, double, FOR(i, 0, n) FOR(j, 0, m) { y[j] += x[i] * a[i][j]; u[i] += a[i][j] * y[j]; })
//
// More operands, other types; a matrix that both update and read is no stream of both.
NEST(scaled, double, FOR(i, 0, n) FOR(j, 0, m) { y[j] -= x[i] / (a[i][j] + 99) * u[0]; v[i] += (a[i][j] - x[j]) * a[i][j]; })
NEST(floats, float, FOR(i, 0, n) FOR(j, 0, m) { y[j] += x[i] * a[i][j]; u[i] += a[i][j] * v[j]; })
NEST(longs, long, FOR(i, 0, n) FOR(j, 0, m) { y[j] ^= x[i] - a[i][j]; u[i] = a[i][j] - u[i] * v[j]; })
//
// Rows of an extent that is not known; sums that begin in the middle.
void parametric(int n, int m, int s, double (*restrict a)[s], double *restrict x, double *restrict y, double *restrict u,
                double *restrict v) {
  FOR(i, 3, n) FOR(j, 2, m) { y[j] += x[i] * a[i - 1][j + 1]; u[i] += a[i - 1][j + 1] * v[j]; }
}
#ifdef MAIN
#include <stdio.h>
#define TEST(NAME, T)                                            \
  static void test_##NAME(int n, int m) {                        \
    static struct {                                              \
      T a[N + 1][N + 1], v[4][N + 1];                            \
    } s;                                                         \
    FOR(i, 0, N + 1) FOR(j, 0, N + 1)                            \
      s.a[i][j] = (T)((i * 7 + j * 3) % 31 - 15.5);              \
    FOR(k, 0, 4) FOR(i, 0, N + 1)                                \
      s.v[k][i] = (T)(i % (13 - k) * (1.3 - k) - 6);             \
    NAME(n, m, s.a, s.v[0], s.v[1], s.v[2], s.v[3]);             \
    unsigned long h = 0;                                         \
    FOR(k, 0, 4) FOR(i, 0, (N + 1) * sizeof(T))                  \
      h = h * 1099511628211 + ((unsigned char *)s.v[k])[i];      \
    printf(#NAME " %d %d %lx\n", n, m, h);                       \
  }
#define PARAMETRIC(n, m, a, x, y, u, v) parametric(n, m, N + 1, a, x, y, u, v)
TEST(both, double)
TEST(turned, double)
TEST(normal, double)
TEST(beside, double)
TEST(same, double)
TEST(scaled, double)
TEST(floats, float)
TEST(longs, long)
TEST(PARAMETRIC, double)
int main(void) {
  static const int sizes[] = {0, 1, 7, 8, 15, 16, 17, 24, 33, 129, 230};
  for (unsigned i = 0; i < sizeof sizes / 4; i++)
    for (unsigned j = 0; j < sizeof sizes / 4; j++) {
      int n = sizes[i], m = sizes[j];
      test_both(n, m);
      test_turned(n, m);
      test_normal(n, m);
      test_beside(n, m);
      test_same(n, m);
      test_scaled(n, m);
      test_floats(n, m);
      test_longs(n, m);
      test_PARAMETRIC(n, m);
    }
}
#endif
