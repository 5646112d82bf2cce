// Elimination in place. Above the diagonal a cell's updates end with its row's step and below with its column's, but the head of a
// tile ends before the first step that differs: no constraint of the kernels ties steps to rows or lanes, and no masks are made in
// a step. With a scalar for the cell it is the same.
// RUN: %clang -O3 -march=znver4 -mllvm -polytile-stop-after=ast -mllvm -polytile-dump=ast -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 %t.tiled | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;tile-sizes=5,7" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.odd
// RUN: env OMP_NUM_THREADS=2 %t.odd | cmp - %t.expected
//
// CHECK-COUNT-2: tile 8x3x8 S
// CHECK-NOT: where {{.*}}-1*k
// CHECK: S{{[0-9]}}(
// CHECK-COUNT-2: tile 8x3x8 S
// CHECK-NOT: where {{.*}}-1*k
//
// IR: define internal {{.*}}@in_place
// IR: fma.v8f64
// IR-NOT: @in_place{{.*}}steps
#define N 131
#define FOR(i, first, end) for (int i = first; i < end; i++)

void in_place(int n, double a[N][N]) {
  FOR(i, 0, n) {
    FOR(j, 0, i) {
      FOR(k, 0, j) a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    FOR(j, i, n) FOR(k, 0, i) a[i][j] -= a[i][k] * a[k][j];
  }
}

void by_scalar(int n, double a[N][N]) {
  double w;
  FOR(i, 0, n) {
    FOR(j, 0, i) {
      w = a[i][j];
      FOR(k, 0, j) w -= a[i][k] * a[k][j];
      a[i][j] = w / a[j][j];
    }
    FOR(j, i, n) {
      w = a[i][j];
      FOR(k, 0, i) w -= a[i][k] * a[k][j];
      a[i][j] = w;
    }
  }
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N];
int main(void) {
  static const int sizes[] = {0, 1, 2, 9, 24, 50, 97, 131};
  FOR(s, 0, 16) {
    int n = sizes[s / 2];
    FOR(i, 0, N) FOR(j, 0, N) a[i][j] = i == j ? N : (i * 7 + j * 5) % 11 * 0.1 - 0.4;
    s % 2 ? in_place(n, a) : by_scalar(n, a);
    double h = 0;
    FOR(i, 0, N) FOR(j, 0, N) h = h * 0.998 + a[i][j];
    printf("%d %a\n", n, h);
  }
}
#endif
