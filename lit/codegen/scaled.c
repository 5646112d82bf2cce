// A factorization by columns with a scaled row that each step fills anew (L D L'): the row gets a copy per step, so that sums of several
// columns run beside each other; statements with two loops stand still in one row of the schedule, and tiles are boxes. Tiles off
// the diagonal, where no row is filled, are left to the micro-kernel.
// RUN: env "POLYTILE=dump=schedule,ast;stop-after=ast" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.scaled
// RUN: env OMP_NUM_THREADS=3 %t.scaled | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;tile-sizes=5,7" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.odd
// RUN: env OMP_NUM_THREADS=2 %t.odd | cmp - %t.expected
#define N 131
#define FOR(i, first, end) for (long i = first; i < end; i++)
//
// CHECK-NOT: 2i0
// CHECK: register_tile:
// CHECK: tile 8x3x8 S{{[0-9]}}{{.*}} >= 0)) ? c{{[0-9]+}} : (c{{[0-9]+}} + 23)
void factor(long n, double (*restrict a)[N], double *restrict b) {
  FOR(j, 0, n) {
    FOR(k, 0, j) b[k] = a[j][k] * a[k][k];
    FOR(k, 0, j) a[j][j] -= a[j][k] * b[k];
    FOR(i, j + 1, n) {
      FOR(k, 0, j) a[i][j] -= a[i][k] * b[k];
      a[i][j] /= a[j][j];
    }
  }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N];

int main(void) {
  for (long n = 0; n <= N; n += n < 20 ? 1 : 37) {
    FOR(i, 0, N) FOR(j, 0, N) a[i][j] = (i * 7 + j * 3) % 11 * 0.125 + (i == j) * N;
    factor(n, a, b);
    fwrite(a, sizeof a, 1, stdout);
    fwrite(b, sizeof b, 1, stdout);
  }
  return 0;
}
#endif
