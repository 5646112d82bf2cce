// A dynamic program over intervals that keeps the least cost and the place of it: both are stored under one condition, also where what it asks for lies in the array
// that is stored to. They are one statement, and what the cell held needs no memory of its own.
// RUN: env "POLYTILE=dump=scop;stop-after=scop;only=costs" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: scop "costs
// CHECK-NOT: temporary
// CHECK: may-write {{.*}} f64
// CHECK-NEXT: may-write {{.*}} i32
// CHECK-NOT: temporary
#include <stdio.h>
#define N 160
double least[N + 2][N + 2], weight[N + 2][N + 2];
int place[N + 2][N + 2];
__attribute__((noinline)) void costs(void) {
  for (int i = N; i >= 1; i--)
    for (int r = i; r <= N; r++)
      for (int j = r; j <= N; j++) {
        double t = least[i][r - 1] + least[r + 1][j] + weight[i][j];
        if (t < least[i][j]) {
          least[i][j] = t;
          place[i][j] = r;
        }
      }
}
#ifdef MAIN
int main(void) {
  for (int i = 1; i <= N + 1; i++)
    for (int j = 0; j <= N + 1; j++) {
      least[i][j] = j < i ? 1. / (i + 3) : 1e9;
      weight[i][j] = (i * 7 + j) % 11;
    }
  costs();
  unsigned sum = 0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      sum = sum * 31 + place[i][j] + (int)(least[i][j] * 16);
  printf("%.17g %u\n", least[1][N], sum);
}
#endif
