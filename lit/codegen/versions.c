// Products with a triangle in place, and its inverse: what a nest overwrites before it is read elsewhere is read from a copy, and
// products are register tiles then. The product whose sums begin where those that need the old values are needs no copy.
// RUN: %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=znver4 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -mllvm -polytile-only=scaled_last -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.versions
// RUN: env OMP_NUM_THREADS=3 %t.versions | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;tile-sizes=5,7" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.odd
// RUN: env OMP_NUM_THREADS=2 %t.odd | cmp - %t.expected
#define N 83
#define FOR(i, first, end) for (long i = first; i < end; i++)
#define DOWN(i, first, end) for (long i = end - 1; i >= first; i--)

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: 3 statements{{.*}} 1 register tile
void upper_transposed(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) FOR(j, 0, n) {
    double s = a[i][i] * b[i][j];
    FOR(k, i + 1, n) s += a[k][i] * b[k][j];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: 3 statements{{.*}} 1 register tile
void upper(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) FOR(j, 0, n) {
    double s = a[i][i] * b[i][j];
    FOR(k, i + 1, n) s += a[i][k] * b[k][j];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: 4 statements{{.*}} 1 register tile
void right_lower(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) FOR(j, 0, n) {
    double s = a[j][j] * b[i][j];
    FOR(k, j + 1, n) s += b[i][k] * a[k][j];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: 4 statements{{.*}} 1 register tile
void right_upper_transposed(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) FOR(j, 0, n) {
    double s = a[j][j] * b[i][j];
    FOR(k, j + 1, n) s += b[i][k] * a[j][k];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: 6 statements{{.*}} 1 register tile
void inverse(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(j, 0, n) {
    b[j][j] = 1 / b[j][j];
    FOR(i, j + 1, n) {
      double s = 0;
      FOR(k, j, i) s -= b[i][k] * b[k][j];
      b[i][j] = s / b[i][i];
    }
  }
}

// Here the last iteration has no sum, and compilers give it a way of its own out of the loop. Where columns are walked down, lanes
// walk them up.
// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 register tile
void lower(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  DOWN(i, 0, n) FOR(j, 0, n) {
    double s = a[i][i] * b[i][j];
    FOR(k, 0, i) s += a[i][k] * b[k][j];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 register tile
void lower_transposed(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  DOWN(i, 0, n) FOR(j, 0, n) {
    double s = a[i][i] * b[i][j];
    FOR(k, 0, i) s += a[k][i] * b[k][j];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 register tile
void right_upper(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) DOWN(j, 0, n) {
    double s = a[j][j] * b[i][j];
    FOR(k, 0, j) s += b[i][k] * a[k][j];
    b[i][j] = s;
  }
}

// CHECK: versions.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 register tile
void right_lower_transposed(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) DOWN(j, 0, n) {
    double s = a[j][j] * b[i][j];
    FOR(k, 0, j) s += b[i][k] * a[j][k];
    b[i][j] = s;
  }
}

// NONE: stmt S0
// NONE-NOT: temporary
void scaled_last(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) FOR(j, 0, n) {
    FOR(k, i + 1, n) b[i][j] += a[k][i] * b[k][j];
    b[i][j] *= 1.5;
  }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N][N];
static void run(long n, void (*nest)(long, double (*)[N], double (*)[N])) {
  FOR(i, 0, N) FOR(j, 0, N) {
    a[i][j] = (i * 7 + j) % 31 * 0.125;
    b[i][j] = (i + j * 3) % 17 - 5 + (i == j) * N;
  }
  nest(n, a, b);
  fwrite(b, sizeof b, 1, stdout);
}

int main(void) {
  for (long n = 0; n <= N; n += n < 20 ? 1 : 7) {
    run(n, upper_transposed);
    run(n, upper);
    run(n, right_lower);
    run(n, right_upper_transposed);
    run(n, inverse);
    run(n, lower);
    run(n, lower_transposed);
    run(n, right_upper);
    run(n, right_lower_transposed);
    run(n, scaled_last);
  }
  return 0;
}
#endif
