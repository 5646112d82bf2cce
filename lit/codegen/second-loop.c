// A sum that a second loop goes on with: what is stored is the first loop's sum only where the second one does not run.
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#define N 40
static unsigned a[N][N], y[N];
static double b[N][N], z[N];

__attribute__((noinline)) static void pairs(int n, int m) {
  for (int i = 0; i < n; i++) {
    unsigned s = 0;
    int j;
    for (j = 0; j + 1 < m; j += 2)
      s += a[i][j] + 3 * a[i][j + 1];
    for (; j < m; j++)
      s += 7 * a[i][j];
    y[i] = s;
  }
}
__attribute__((noinline)) static void triples(int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    int j;
    for (j = 0; j < m - 2; j += 3)
      s += b[i][j] * b[i][j + 1] - b[i][j + 2];
    if (j < m)
      s = s > b[i][j] ? s : b[i][j];
    z[i] = s;
  }
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * 9 + j, b[i][j] = (i * 5 + j * 7) % 11 - 4.25;
  for (int m = 0; m <= N; m++) {
    pairs(N - m / 2, m);
    triples(N - m / 3, m);
    for (int i = 0; i < N; i++)
      printf(" %u %g", y[i], z[i]);
    printf("\n");
  }
}
