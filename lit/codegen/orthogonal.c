// Orthogonal factorizations: each step takes a row (or column) that later ones are made orthogonal to. The rows that follow
// the written cells come first in the search; steps outermost consist of parallel sweeps, and run in panels.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.panels -lm
// RUN: env OMP_NUM_THREADS=3 %t.panels | cmp - %t.expected
#include <math.h>
#define N 83

// Gram-Schmidt on rows: the update of one step and the products of the next in one loop, rows in lanes.
// CHECK: orthogonal.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 team loop{{.*}}tiles of 32 x 32
void rows(long n, double (*restrict a)[n]) {
  for (long k = 0; k < n; k++) {
    double s = 0;
    for (long i = 0; i < n; i++)
      s += a[k][i] * a[k][i];
    s = sqrt(s);
    for (long i = 0; i < n; i++)
      a[k][i] /= s;
    for (long j = k + 1; j < n; j++) {
      double r = 0;
      for (long i = 0; i < n; i++)
        r += a[k][i] * a[j][i];
      for (long i = 0; i < n; i++)
        a[j][i] -= r * a[k][i];
    }
  }
}

// Householder's reflections: sweeps over what is left.
// CHECK: orthogonal.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 register tile
void reflections(long n, double (*restrict a)[n], double *restrict b) {
  for (long k = 0; k < n - 1; k++) {
    double s = 0;
    for (long i = k; i < n; i++)
      s += a[i][k] * a[i][k];
    double first = a[k][k] + sqrt(s), f = -1 / (sqrt(s) * first);
    a[k][k] = first;
    for (long j = k + 1; j < n; j++) {
      double t = 0;
      for (long i = k; i < n; i++)
        t += a[i][k] * a[i][j];
      t *= f;
      for (long i = k; i < n; i++)
        a[i][j] += t * a[i][k];
    }
    b[k] = -sqrt(s);
  }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N];
static void set(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * j + i + j) % 31 * 0.125 + (i == j) * 9;
}

int main(void) {
  for (int n = 0; n <= N; n += n < 20 ? 1 : 7) {
    set();
    rows(n, (void *)a);
    fwrite(a, sizeof a, 1, stdout);
    set();
    reflections(n, (void *)a, b);
    fwrite(a, sizeof a, 1, stdout);
    fwrite(b, sizeof b, 1, stdout);
  }
  return 0;
}
#endif
