// Rows behind pointers that are looked up behind conditions on data: the nest looks up all of them in any case (a row above one that it is in). Where it may
// look up others, nobody knows whether they are there.
//
// RUN: %clang -O3 -g1 -Rpass=polytile -Rpass-missed=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: for n in 2 3 9 300; do %t.plain $n; done > %t.expected
// RUN: for n in 2 3 9 300; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 2 3 9 300; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// Edit distances where two letters in a row may change places.
__attribute__((noinline)) void edits(int n, int m, const unsigned char *restrict a, const unsigned char *restrict b, unsigned **d) {
  // CHECK-DAG: conditional-rows.c:[[@LINE+1]]:3: remark: loop nest transformed: {{.*}} tile loops
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      unsigned x = d[i - 1][j] + 1, y = d[i][j - 1] + 1, z = d[i - 1][j - 1] + (a[i] != b[j]);
      x = x < y ? x : y;
      x = x < z ? x : z;
      d[i][j] = x;
      if (i > 1 && j > 1 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        unsigned t = d[i - 2][j - 2] + 1;
        d[i][j] = x < t ? x : t;
      }
    }
}

// The third row above the first one may not be there.
__attribute__((noinline)) void above(int n, int m, const unsigned char *restrict a, unsigned **d) {
  // CHECK-DAG: conditional-rows.c:[[@LINE+1]]:3: remark: loop nest not transformed: {{.*}}rows of
  for (int i = 3; i < n; i++)
    for (int j = 1; j < m; j++) {
      d[i][j] = d[i - 1][j] + 1;
      if (a[i] == a[j])
        d[i][j] += d[i - 3][j];
    }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50, m = n + 5;
  unsigned char *a = malloc(n), *b = malloc(m);
  unsigned **d = malloc(n * sizeof(*d)), sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = i * i % 7 % 3;
  for (int i = 0; i < m; i++)
    b[i] = i * (i + 1) % 5 % 3;
  for (int i = 0; i < n; i++) {
    d[i] = malloc(m * sizeof(**d));
    for (int j = 0; j < m; j++)
      d[i][j] = i + j;
  }
  edits(n, m, a, b, d);
  for (int j = 0; j < m; j++)
    sum = sum * 31 + d[n - 1][j];
  above(n, n, a, d);
  for (int j = 0; j < m; j++)
    sum = sum * 31 + d[n - 1][j];
  printf("%d %u\n", n, sum);
}
