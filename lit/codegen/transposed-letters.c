// A distance that counts exchanged neighbours takes a cell two rows back: what lanes hand on goes to the next lane only, so it has no diagonals.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -fopenmp %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.all
// RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
// CHECK-NOT: // diagonal
#include <stdio.h>
enum { N = 700, M = 650 };
static int d[N + 1][M + 1];
static unsigned char a[N], b[M];

__attribute__((noinline)) int distance(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int v = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      v = d[i - 1][j] + 1 < v ? d[i - 1][j] + 1 : v;
      v = d[i][j - 1] + 1 < v ? d[i][j - 1] + 1 : v;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < v)
        v = d[i - 2][j - 2] + 1;
      d[i][j] = v;
    }
  return d[n][m];
}

int main(void) {
  unsigned x = 5;
  for (int i = 0; i < N; i++)
    a[i] = (x = x * 1103515245u + 12345u) >> 16 & 3, d[i + 1][0] = i + 1;
  for (int j = 0; j < M; j++)
    b[j] = (x = x * 1103515245u + 12345u) >> 16 & 3, d[0][j + 1] = j + 1;
  printf("%d %d %d\n", distance(N, M), distance(1, M), distance(N, 1));
}
