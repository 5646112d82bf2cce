// Planes of an array that take turns, with rows of a run-time length. The front end makes a choice of the plane's offset,
// `t % 2 ? n : 0`: as a number, the parity times the length. Switches on what loops count are conditions like others.
// RUN: %clang -O2 -g1 -Rpass-analysis=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;tile-sizes=3;verify=on" %clang -O2 -DMAIN %s -o %t.small && %t.small | cmp - %t.expected

// CHECK: choices.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; argument 3 of line[][]
void line(int n, int steps, double a[2][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = 0.25 * a[t % 2][i - 1] + 0.5 * a[t % 2][i] + 0.25 * a[t % 2][i + 1];
}

// CHECK: choices.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 3 loops; argument 4 of plane[][][]
void plane(long n, long m, long steps, double a[restrict 2][n][m]) {
  for (long t = 0; t < steps; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        a[(t + 1) & 1][i][j] = a[t & 1][i - 1][j] + a[t & 1][i + 1][j] - 0.5 * a[t & 1][i][j - 1];
}

// Every other row in the other direction.
// CHECK: choices.c:[[@LINE+2]]:3: remark: static control part: 2 statements, 2 loops; {{.*}}[][], {{.*}}[][]
void rows(int n, int m, double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i % 2 == 0)
        a[i][j] += b[i][j];
      else
        a[i][m - 1 - j] -= b[i][j];
}

// CHECK: choices.c:[[@LINE+2]]:3: remark: static control part: 4 statements, 2 loops; {{.*}}[][], {{.*}}[][]
void turns(int n, int m, double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      switch ((i + 2 * j) % 5) {
      case 0: a[i][j] += b[i][j]; break;
      case 1:
      case 3: a[i][j] *= b[i][j]; break;
      case 4: a[i][j] = 3; break;
      default: b[i][j] += 1;
      }
}

// Known before the loops.
// CHECK: choices.c:[[@LINE+2]]:3: remark: static control part: {{.*}}, 2 loops; {{.*}}[][], {{.*}}[][]
void mode(int n, int m, int which, double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      switch (which) {
      case 2: a[i][j] += b[i][j]; break;
      case 5: a[i][j] -= b[i][j]; break;
      case 9: a[i][j] *= b[i][j];
      }
}
// CHECK-NOT: remark: loop nest not transformed: {{a|the|an|it}}
#ifdef MAIN
#include <stdio.h>
#include <string.h>
static double x[9000], y[9000];
static unsigned long hash(void) {
  unsigned long h = 0, w;
  for (int i = 0; i < 9000; i++) {
    memcpy(&w, &x[i], 8), h = h * 1099511628211 + w;
    memcpy(&w, &y[i], 8), h = h * 1099511628211 + w;
    x[i] = (i * 7 % 31) * 0.125 - 1, y[i] = (i % 29) * 1e-3;
  }
  return h;
}
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 17, 64};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      int n = sizes[i], m = sizes[j];
      line(n, m, (void *)x), printf("%lx\n", hash());
      plane(n, m, 5, (void *)x), printf("%lx\n", hash());
      rows(n, m, (void *)x, (void *)y), printf("%lx\n", hash());
      turns(n, m, (void *)x, (void *)y), printf("%lx\n", hash());
      for (int which = 0; which < 10; which++)
        mode(n, m, which, (void *)x, (void *)y);
      printf("%lx\n", hash());
    }
}
#endif
