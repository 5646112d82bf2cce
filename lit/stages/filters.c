// Nests that pass an array on: the later one follows some rows behind, so that it finds the rows in cache; threads get blocks of
// rows. A nest that needs all rows, or the rows in the other direction, stays behind.
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=filter" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=FILTER
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=three" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=turned" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=APART
// RUN: env "POLYTILE=min-work=0;dump=schedule;only=others" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=APART
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.fused
// RUN: env OMP_NUM_THREADS=3 %t.fused | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.fused | cmp - %t.expected
//
// Four rows ahead are four rows behind, and the first four rows of a block wait for the block before.
// FILTER: S0[i0, i1] -> [(floor((i0)/[[S:[0-9]+]]))]; S1[i0, i1] -> [(floor((4 + i0)/[[S]]))]
// FILTER: loops: [ parallel-static ]
// FILTER: S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(4 + i0)]
// FILTER: loops: [ vector ]
// FILTER: loops: [ vector ]
#define N 2048
typedef float image[N];
void filter(int n, int m, image *restrict out, image *restrict in, image *restrict rows) {
  for (int i = 0; i < n + 4; i++)
    for (int j = 0; j < m; j++)
      rows[i][j] = 0.5f * in[i][j] + 0.25f * in[i][j + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = 0.5f * rows[i + 2][j] + 0.1f * (rows[i][j] + rows[i + 4][j]);
}

// The third follows two rows behind the second, which follows one behind the first.
// THREE: S0[i0, i1] -> [(i0)]; {{.*}}S2[i0, i1] -> [(3 + i0)]
void three(int n, int m, image *restrict a, image *restrict b, image *restrict c, image *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = 2 * a[i][j];
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      c[i][j] = b[i][j] - b[i + 1][j];
  for (int i = 0; i < n - 3; i++)
    for (int j = 0; j < m; j++)
      d[i][j] = c[i][j] - c[i + 2][j];
}

// APART-NOT: floor(({{.*}}i0
// APART: vector
void turned(int n, int m, image *restrict a, image *restrict b, image *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = 2 * a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i][j] = b[n - 1 - i][j];
}

void others(int n, int m, image *restrict a, image *restrict b, image *restrict c, image *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = 2 * a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] = 3 * c[i][j];
}
#ifdef MAIN
#include <stdio.h>
#define ROWS 404
static image a[ROWS], b[ROWS], c[ROWS], d[ROWS];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 5, 57, 130, 400};
  for (int s = 0; s < 8; s++) {
    int n = sizes[s], m = s < 7 ? 2 * n : N - 1;
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = (i * 7 + j * 13) % 31 * 0.37f;
        b[i][j] = c[i][j] = d[i][j] = (i + j * 5) % 57;
      }
    filter(n, m, d, a, b);
    fwrite(d, sizeof d, 1, stdout);
    three(n, m, a, b, c, d);
    fwrite(d, sizeof d, 1, stdout);
    turned(n, m, a, b, c);
    fwrite(c, sizeof c, 1, stdout);
    others(n, m, a, b, c, d);
    fwrite(d, sizeof d, 1, stdout);
  }
}
#endif
