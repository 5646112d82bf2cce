// A dynamic program over intervals: each cell takes the greatest of sums of finished cells left of it and below it.
// Updates by integer maxima commute, so that a finished cell is pushed to all cells right of it at once, whatever
// updates them otherwise. Sums instead of maxima keep their order.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=deps,schedule;only=intervals" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=schedule;only=sums" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 %t.tiled | cmp - %t.expected
//
// CHECK: S0 -> S1 flow anti output commutes
// CHECK: wavefront: [ 0, 1 ]
// CHECK: register_tile: { stmt: S1, row: 0
// CHECK: sequence:
// CHECK: loops: [ vector ]
// SUMS-NOT: vector
#define N 301
void intervals(int n, int (*restrict t)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      int best = t[i][j];
      best = best >= t[i][j - 1] ? best : t[i][j - 1];
      t[i][j] = best;
      for (int k = i + 1; k < j; k++)
        t[i][j] = t[i][j] >= t[i][k] + t[k + 1][j] ? t[i][j] : t[i][k] + t[k + 1][j];
    }
}

void sums(int n, unsigned (*restrict t)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      t[i][j] += t[i][j - 1];
      for (int k = i + 1; k < j; k++)
        t[i][j] += t[i][k] ^ t[k + 1][j];
    }
}
#ifdef MAIN
#include <stdio.h>
static int x[N][N];
static unsigned y[N][N];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 9, 48, 64, 65, 97, 150, 301};
  for (int s = 0; s < 11; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        x[i][j] = (i * 7 + j * 13) % 31 - 15;
        y[i][j] = (i + j * 5) % 3;
      }
    intervals(sizes[s], x);
    sums(sizes[s] % 40, y);
    fwrite(x, sizeof x, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
  }
}
#endif
