// Sums over one of two members: lanes are the sums, and a matrix that is contiguous along them is read as it is; one that
// is contiguous along the reduction is read in squares that are transposed in registers.
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=znver4 -S -emit-llvm -o %t.ll %s
// RUN: FileCheck --check-prefix=ROWS --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=COLUMNS --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=UPDATE --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=DOWN --input-file=%t.ll %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.wide
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.wide | cmp - %t.expected
// RUN: %plainclang -O1 -march=x86-64-v3 -DMAIN %s -o %t.plain3 && %t.plain3 > %t.expected3
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64-v3 -DMAIN %s -o %t.narrow && %t.narrow | cmp - %t.expected3
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain1 && %t.plain1 > %t.expected1
// RUN: env POLYTILE=min-work=0 %clang -O3 -DMAIN %s -o %t.least && %t.least | cmp - %t.expected1
#define N 230
#define NEST(NAME, T, ...)                                                                                 \
  void NAME(int n, int m, T (*restrict a)[N], T *restrict x, T *restrict y, T *restrict u, T *restrict v) { \
    __VA_ARGS__                                                                                            \
  }
#define FOR(i, first, end) for (int i = first; i < end; i++)
//
// A square for each of two vectors.
// ROWS: define internal {{.*}}@rows.{{.*}}{{part|team}}
// ROWS: phi <8 x double>
// ROWS-COUNT-16: load <8 x double>
// ROWS-COUNT-16: call <8 x double> @llvm.fma.v8f64
NEST(rows, double, FOR(i, 0, n) FOR(j, 0, m) y[i] += a[i][j] * x[j];)
//
// The lanes of the matrix are contiguous: four vectors of one row.
// COLUMNS: define internal {{.*}}@columns.{{.*}}{{part|team}}
// COLUMNS: phi <8 x double>
// COLUMNS-COUNT-4: load <8 x double>
// COLUMNS-COUNT-4: call <8 x double> @llvm.fma.v8f64
NEST(columns, double, FOR(i, 0, n) FOR(j, 0, m) y[j] += a[i][j] * x[i];)
//
NEST(both, double, FOR(i, 0, n) FOR(j, 0, m) { y[j] += x[i] * a[i][j]; u[i] += a[i][j] * v[j]; })
// Blocks of rows, since both directions walk over the same matrix; here one waits for the other.
NEST(normal, double, FOR(i, 0, n) { FOR(j, 0, m) u[i] += a[i][j] * x[j]; FOR(j, 0, m) y[j] += a[i][j] * u[i]; })
//
// The update and the sum share a stream, each vector of which stays in a register for both; rows are asked for ahead.
// UPDATE: define internal {{.*}}@update.{{.*}}{{part|team}}
// UPDATE: call void @llvm.prefetch
// UPDATE: [[A:%.*]] = {{.*}}call <8 x double> @llvm.fma.v8f64
// UPDATE: store <8 x double> [[A]]
// UPDATE: [[B:%.*]] = {{.*}}call <8 x double> @llvm.fma.v8f64
// UPDATE: store <8 x double> [[B]]
// UPDATE-NOT: load <8 x double>
// UPDATE: call <8 x double> @llvm.fma.v8f64
NEST(update, double, FOR(i, 0, n) FOR(j, 0, m) { a[i][j] += x[i] * v[j]; y[j] -= a[i][j] * u[i]; })
//
// Two sums in the same lanes share a stream.
NEST(twice, double, FOR(i, 0, n) FOR(j, 0, m) { y[i] -= x[j] * a[i][j]; u[i] += a[i][j] * v[j]; })
// A substitution: register tiles below the diagonal.
NEST(forward, double, FOR(i, 0, n) { x[i] = y[i]; FOR(j, 0, i) x[i] -= a[i][j] * x[j]; x[i] = x[i] / (a[i][i] + 99); })
//
// A recurrence down columns: strips of columns, whole rows as vectors.
// DOWN: define internal {{.*}}@down.{{.*}}{{part|team}}
// DOWN: load <8 x double>
// DOWN: call <8 x double> @llvm.fma.v8f64
NEST(down, double, FOR(j, 0, m) FOR(i, 1, n) a[i][j] -= a[i - 1][j] * x[j];)
//
// Steps that not all sums have: masked ones around squares.
NEST(lower, double, FOR(i, 0, n) FOR(j, 0, i + 1) y[i] += a[i][j] * x[j];)
NEST(upper, double, FOR(i, 0, n) FOR(j, i, n) y[i] -= x[j] / a[i][j];)
NEST(triangle, double, FOR(i, 0, n) FOR(j, 0, i) y[j] += a[i][j] * x[i];)
//
NEST(floats, float, FOR(i, 0, n) FOR(j, 0, m) y[i] = a[i][j] * x[j] - y[i];)
NEST(longs, long, FOR(i, 0, n) FOR(j, 0, m) y[i] ^= a[i][j] - x[j];)
NEST(shorts, short, FOR(i, 0, n) FOR(j, 0, m) y[i] ^= a[i][j] & x[j];)
NEST(bytes, signed char, FOR(i, 0, n) FOR(j, 0, m) y[i] ^= a[i][j] & x[j];)
//
// Rows of an extent that is not known.
void parametric(int n, int m, int s, double (*restrict a)[s], double *restrict x, double *restrict y) {
  FOR(i, 0, n) FOR(j, 0, m) y[i] += a[i][j] * x[j];
}
#ifdef MAIN
#include <stdio.h>
#include <string.h>
#define TEST(NAME, T)                                              \
  static void test_##NAME(int n, int m) {                          \
    static struct {                                                \
      T a[N][N], v[4][N];                                          \
    } s;                                                           \
    FOR(i, 0, N) FOR(j, 0, N)                                      \
      s.a[i][j] = (T)((i * 7 + j * 3) % 31 - 15.5);                \
    FOR(k, 0, 4) FOR(i, 0, N)                                      \
      s.v[k][i] = (T)(i % (13 - k) * (1.3 - k) - 6);               \
    NAME(n, m, s.a, s.v[0], s.v[1], s.v[2], s.v[3]);               \
    unsigned long h = 0;                                           \
    FOR(k, 0, 4) FOR(i, 0, N * sizeof(T))                          \
      h = h * 1099511628211 + ((unsigned char *)s.v[k])[i];        \
    FOR(i, 0, N * N) h = h * 31 + (long)s.a[0][i];                 \
    printf(#NAME " %d %d %lx\n", n, m, h);                         \
  }
#define PARAMETRIC(n, m, a, x, y, u, v) parametric(n, m, N, a, x, y)
TEST(rows, double)
TEST(columns, double)
TEST(both, double)
TEST(normal, double)
TEST(forward, double)
TEST(down, double)
TEST(update, double)
TEST(twice, double)
TEST(lower, double)
TEST(upper, double)
TEST(triangle, double)
TEST(floats, float)
TEST(longs, long)
TEST(shorts, short)
TEST(bytes, signed char)
TEST(PARAMETRIC, double)
int main(void) {
  static const int sizes[] = {0, 1, 7, 16, 33, 129, 230};
  for (unsigned i = 0; i < sizeof sizes / 4; i++)
    for (unsigned j = 0; j < sizeof sizes / 4; j++) {
      int n = sizes[i], m = sizes[j];
      test_rows(n, m);
      test_columns(n, m);
      test_both(n, m);
      test_normal(n, m);
      test_forward(n, m);
      test_down(n, m);
      test_update(n, m);
      test_twice(n, m);
      test_lower(n, m);
      test_upper(n, m);
      test_triangle(n, m);
      test_floats(n, m);
      test_longs(n, m);
      test_shorts(n, m);
      test_bytes(n, m);
      test_PARAMETRIC(n, m);
    }
}
#endif
