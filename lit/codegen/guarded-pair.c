// Shortest ways with the next hop, where a row that leads nowhere is skipped: two stores and a scalar behind the guard of a loop. What the stores share is read for the guard's loop
// alone, and both are one statement.
// RUN: %clang -O3 -march=x86-64-v3 -g1 -Rpass=polytile -fno-caret-diagnostics -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env POLYTILE=dump=scop %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
enum { FAR = 1000000, N = 97 };
// CHECK: guarded-pair.c:[[@LINE+2]]:3: remark: loop nest transformed: 3 statements
__attribute__((noinline)) void ways(int n, unsigned *restrict d, int *restrict next) {
  for (long k = 0; k < n; k++)
    for (long i = 0; i < n; i++) {
      unsigned first = d[i * n + k];
      if (first >= FAR)
        continue;
      int hop = next[i * n + k];
      for (long j = 0; j < n; j++) {
        unsigned way = first + d[k * n + j];
        if (way < d[i * n + j]) {
          d[i * n + j] = way;
          next[i * n + j] = hop;
        }
      }
    }
}
// A sum behind a guard.
// SCOP: scop "rows.
// SCOP: stmt S2
__attribute__((noinline)) void rows(int n, int *restrict on, double (*restrict a)[N], double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    if (on[i] > 0) {
      double sum = 0;
      for (int j = 0; j < n; j++)
        sum += a[i][j] * x[j];
      y[i] = sum;
    }
}
static unsigned d[N * N];
static int next[N * N], on[N];
static double a[N][N], x[N], y[N];
int main(void) {
  for (int n = 0; n <= N; n += 32) {
    for (int i = 0; i < n * n; i++) {
      d[i] = i % 7 == 3 ? i * 31 % 101 : FAR;
      next[i] = i % n;
    }
    for (int i = 0; i < N; i++) {
      on[i] = i % 3;
      x[i] = i % 5 * .3;
      y[i] = -1;
      for (int j = 0; j < N; j++)
        a[i][j] = (i * 7 + j) % 11;
    }
    ways(n, d, next);
    rows(n, on, a, x, y);
    unsigned long sum = 0;
    for (int i = 0; i < n * n; i++)
      sum = sum * 31 + d[i] * 7 + next[i];
    double total = 0;
    for (int i = 0; i < N; i++)
      total = total * .5 + y[i];
    printf("%lu %a\n", sum, total);
  }
}
