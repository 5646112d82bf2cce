// Signed quotients, remainders and shifts in subscripts have the values that C gives them, whatever runs: the program prints
// the same with and without the plugin.
// RUN: env POLYTILE='min-work=0;parallel-min-us=0' %clang -O2 -fopenmp -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -o %t.plain
// RUN: %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// CHECK-COUNT-4: loop nest transformed
#include <stdio.h>
#define N 100

__attribute__((noinline)) void fill(int n, int o, int (*restrict b)[N], int (*restrict c)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      b[N / 2 + (j - i) / 4][j] += 3 * i + j;
      c[i][N / 2 + (j - o) % 8] += i * j;
    }
}

__attribute__((noinline)) void shift(int n, int o, int (*restrict b)[N], int *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] += c[N + ((i - j - o) >> 2)] - c[(i & 12) + j % 5];
}

__attribute__((noinline)) void turn(int n, int (*restrict a)[N]) {
  for (int t = 0; t < n; t++)
    for (int i = 1; i < N - 1; i++)
      a[(t + 1) % 3][i] = a[t % 3][i - 1] + a[t % 3][i + 1];
}

__attribute__((noinline)) void parts(int n, int (*restrict a)[N], int (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i + j) % 3 == 1)
        a[i / 2][j / 3 * 3 + j % 3] += b[i][j];
}

int a[N][N], b[N][N], c[2 * N];

int main() {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i * 7 + j * 3;
      b[i][j] = i * 5 - j;
      c[i + j] = i - j * 11;
    }
  fill(60, 11, a, b);
  shift(90, 7, a, c);
  shift(80, -7, b, c);
  turn(77, b);
  parts(N, a, b);
  unsigned long sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = sum * 31 + (unsigned)a[i][j] * 7ul + (unsigned)b[i][j];
  printf("%lu\n", sum);
}
