// In-place smoothing: each iteration of the innermost loop waits for the one before, for several additions and a division.
// Its tiles are so short that the processor finds the next row while the chain of this one runs. Maxima of integers take a
// cycle each, and keep long rows. Two lanes are too few for diagonals.
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=sweeps" %clang -O3 -march=x86-64 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SWEEPS
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=sweep" %clang -O3 -march=x86-64 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SWEEP
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=best" %clang -O3 -march=x86-64 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BEST
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=x86-64 -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 %t.tiled | cmp - %t.expected
//
// SWEEPS: tile: [ {{[0-9]+}}, {{[0-9]+}}, 8 ]
// SWEEP: tile: [ 256, 256 ]
// SWEEP: tile: [ whole, 16 ]
// BEST: tile: [ 256, 256 ]
// BEST-NOT: tile:
#define N 700
void sweeps(int steps, int n, double (*restrict a)[N]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] +
                   a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9.0;
}

void sweep(int n, double (*restrict a)[N]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1]) / 4.1;
}

void best(int n, long (*restrict b)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      long side = b[i - 1][j] > b[i][j - 1] ? b[i - 1][j] : b[i][j - 1];
      b[i][j] = side - 1 > b[i][j] ? side - 1 : b[i][j];
    }
}
#ifdef MAIN
#include <stdio.h>
static double x[N][N];
static long y[N][N];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 9, 40, 131, 700};
  for (int s = 0; s < 8; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        x[i][j] = (i * 7 + j * 13) % 31 * 0.37;
        y[i][j] = (i + j * 5) % 57;
      }
    sweeps(s < 7 ? 2 * sizes[s] : 3, sizes[s], x);
    sweep(sizes[s], x);
    best(sizes[s], y);
    fwrite(x, sizeof x, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
  }
}
#endif
