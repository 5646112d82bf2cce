// Lines of a grid that go through scratch arrays, in steps of time: each line has copies but the last one of a step, which leaves the arrays as they are, so that
// what stands between the sweeps of a step finds them (tail), and so does what is behind all of them (main).
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

static double p[400], q[400], r[400];

// One line, forth and back.
static inline void line(int n, double first, const double *u, double *v) {
  p[0] = first, q[0] = u[0];
  for (int j = 1; j < n; j++) {
    double m = 1 / (2.2 - .4 * p[j - 1]);
    p[j] = .4 * m;
    q[j] = (u[j] + .4 * q[j - 1]) * m;
  }
  v[n - 1] = 1;
  for (int j = n - 2; j >= 0; j--)
    v[j] = q[j] + p[j] * v[j + 1];
}

// CHECK-LABEL: {{^}}  // parallel
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
// CHECK-NOT: // 2 x 8 lanes
// CHECK: S6(
__attribute__((noinline)) void rows(int n, int rows, double u[rows][n], double v[rows][n]) {
  for (int i = 0; i < rows; i++)
    line(n, .1, u[i], v[i]);
}

// What is between the sweeps needs the last line of the first.
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
__attribute__((noinline)) void tail(int steps, int n, int rows, double u[rows][n], double v[rows][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < rows; i++)
      line(n, .1, u[i], v[i]);
    for (int j = 0; j < n; j++)
      u[0][j] += q[j] * .01;
    for (int i = 0; i < rows; i++)
      line(n, .2, v[i], u[i]);
  }
}

// Right sides first, two directions
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
// (what the compiler asks again, whether n is positive, leaves stores that never run).
__attribute__((noinline)) void directions(int steps, int n, double u[n][n], double v[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      for (int j = 0; j < n; j++)
        r[j] = u[i][j] * .5 + .25 * (u[i - 1][j] + u[i + 1][j]);
      line(n, .1, r, v[i]);
    }
    for (int j = 1; j < n - 1; j++) {
      for (int i = 0; i < n; i++)
        r[i] = v[i][j] * .5 + .25 * (v[i][j - 1] + v[i][j + 1]);
      p[0] = .1, q[0] = r[0];
      for (int i = 1; i < n; i++) {
        double m = 1 / (2.2 - .4 * p[i - 1]);
        p[i] = .4 * m;
        q[i] = (r[i] + .4 * q[i - 1]) * m;
      }
      u[n - 1][j] = q[n - 1];
      for (int i = n - 2; i >= 0; i--)
        u[i][j] = q[i] + p[i] * u[i + 1][j];
    }
  }
}

static void print(int n, int rows, double u[rows][n]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j += 3)
      printf("%a ", u[i][j]);
  printf("%a %a %a\n", p[n / 2], q[n - 1], r[0]);
}

int main(void) {
  for (int n = 1; n < 140; n += n / 2 + 1)
    for (int m = 1; m < 140; m += m + 3) {
      double(*u)[n] = calloc(m, sizeof(double[n])), (*v)[n] = calloc(m, sizeof(double[n]));
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
          u[i][j] = (i * j % 17) * .125;
      rows(n, m, u, v);
      print(n, m, v);
      tail(3, n, m, u, v);
      print(n, m, u);
      free(u), free(v);
      double(*w)[n] = calloc(n, sizeof(double[n])), (*x)[n] = calloc(n, sizeof(double[n]));
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          w[i][j] = (i * j % 19) * .25;
      directions(2, n, w, x);
      print(n, n, w);
      free(w), free(x);
    }
}
