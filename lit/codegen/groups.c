// Stores of one iteration that share operands are one statement with several writes: what they share is computed once, and a
// scalar between them needs no memory, whatever the number of loops. Sums that share their terms run in registers side by side.
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=x86-64-v3 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=x86-64 -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -lm -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#include <math.h>
#define N 24
#define FOR(i, first, end) for (int i = first; i < end; i++)

// CHECK: groups.c:[[#@LINE+5]]:{{.*}} loop nest transformed: 1 statement,
// IR-LABEL: define {{.*}}@mix(
// IR-NOT: @malloc(
// IR-LABEL: define {{.*}}@lattice(
__attribute__((noinline)) void mix(int n, double (*restrict speed)[N][N], double (*restrict f)[N][N], double (*restrict g)[N][N]) {
  FOR(i, 1, n) FOR(j, 1, n) FOR(k, 1, n) {
    double p = f[i][j][k], m = g[i][j][k], d = speed[i][j][k] * (p - m);
    f[i][j][k] = p - d;
    g[i][j][k] = m + d;
  }
}

// Fields in one array: it is assumed that rows of one do not reach into the next. One division per point.
// CHECK: groups.c:[[#@LINE+10]]:{{.*}} loop nest transformed: 1 statement,
// SCOP: scop "lattice
// SCOP: assume in-bounds
// SCOP: stmt S0
// SCOP-COUNT-3: write {
// SCOP-NOT: stmt S1
// SCOP: fdiv
// SCOP-NOT: fdiv
// SCOP: scop "forces
__attribute__((noinline)) void lattice(int n, double (*restrict a)[N][N], double (*restrict b)[N][N], double w) {
  FOR(i, 1, n - 1) FOR(j, 1, n - 1) {
    double l = a[0][i][j - 1], r = a[1][i][j + 1], u = a[2][i - 1][j], rho = l + r + u, v = (l - r) / rho;
    b[0][i][j] = l + w * (rho * (1 + v) - l);
    b[1][i][j] = r + w * (rho * (1 - v) - r);
    b[2][i][j] = u + w * (rho * v * v - u);
  }
}

// The sums of all pairs stay in registers.
__attribute__((noinline)) void forces(int n, const double *restrict x, const double *restrict y, double *restrict fx, double *restrict fy) {
  FOR(i, 0, n) FOR(j, 0, n) {
    double dx = x[j] - x[i], dy = y[j] - y[i], q = dx * dx + dy * dy + 0.1, w = 1 / (q * sqrt(q));
    fx[i] += dx * w;
    fy[i] += dy * w;
  }
}

// Arrays of structures, the later store takes the earlier one's value; a recurrence beside others and a store along columns stay apart.
typedef struct { double re, im; } Complex;
__attribute__((noinline)) void turn(int n, Complex (*restrict z)[N], const Complex *restrict t, double (*restrict c)[N], double *restrict s) {
  FOR(i, 0, n) FOR(j, 0, n) {
    double re = z[i][j].re * t[j].re - z[i][j].im * t[j].im, im = z[i][j].re * t[j].im + z[i][j].im * t[j].re;
    z[i][j].re = re;
    z[i][j].im = im + z[i][j].re;
    c[j][i] = re + im;
  }
  FOR(i, 1, n) {
    s[i] = s[i - 1] * 0.5 + t[i].re;
    c[0][i] = t[i].re * s[i];
  }
}

// Rotates three values through a scalar at depth four.
__attribute__((noinline)) void rotate(int n, float (*restrict a)[N][N][N], float (*restrict b)[N][N][N], float (*restrict c)[N][N][N]) {
  FOR(i, 0, n) FOR(j, 0, n) FOR(k, 0, n) FOR(l, 0, n) {
    float t = a[i][j][k][l];
    a[i][j][k][l] = b[i][j][k][l];
    b[i][j][k][l] = c[i][j][k][l];
    c[i][j][k][l] = t * 0.5f;
  }
}

#ifdef MAIN
#include <stdio.h>
static double f[4][N][N][N];
static float g[3][N][N][N][N];
static Complex z[N][N], t[N];
int main(void) {
  double *all = &f[0][0][0][0];
  for (int n = 0; n <= N; n = n * 2 + 1 > N && n < N ? N : n * 2 + 1) {
    FOR(i, 0, 4 * N * N * N) all[i] = 1 + (i * 7 + n) % 13 * 0.1;
    FOR(i, 0, 3 * N * N * N * N) (&g[0][0][0][0][0])[i] = (i + n) % 11;
    FOR(i, 0, N) FOR(j, 0, N) z[i][j] = (Complex){(i + j) % 5, (i * j) % 3}, t[j] = (Complex){0.6, 0.8 - j * 0.01};
    mix(n, f[0], f[1], f[2]);
    lattice(n, f[0], f[3], 0.7);
    forces(n, f[1][0][0], f[1][1][0], f[2][0][0], f[2][1][0]);
    turn(n, z, t, f[0][2], f[1][3][0]);
    rotate(n, g[0], g[1], g[2]);
    fwrite(f, 1, sizeof f, stdout);
    fwrite(g, 1, sizeof g, stdout);
    fwrite(z, 1, sizeof z, stdout);
  }
}
#endif
