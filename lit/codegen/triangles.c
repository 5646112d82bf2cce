// Register tiles over triangles. Where the reduction begins in another step for each row, rows that do not exist yet are
// branched around, in a function of their own; where cells of a tile do not exist, rows without any read the operand of a row that has some, so the
// loop over the reduction holds no choice of addresses.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 %t.tiled | cmp - %t.expected
//
// CHECK: define internal {{.*}}@late{{.*}}{{part|team}}
// CHECK: call {{.*}}@late{{.*}}steps
// CHECK-COUNT-24: @llvm.fma.v8f64
// CHECK: define internal {{.*}}@late{{.*}}steps
// CHECK: load double, ptr
// CHECK: @llvm.fma.v8f64
// CHECK-NEXT: @llvm.fma.v8f64
// CHECK-NEXT: @llvm.fma.v8f64
// CHECK-NEXT: br label %[[AFTER:[0-9]+]]
// CHECK: [[AFTER]]:
// CHECK-NEXT: phi <8 x double>
// CHECK-NEXT: phi <8 x double>
// CHECK-NEXT: phi <8 x double>
//
// CHECK: define internal {{.*}}@upper{{.*}}team
// CHECK: @llvm.masked.load.v8f64
// CHECK-COUNT-24: @llvm.fma.v8f64
#define N 121
void late(int m, int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < m; k++)
        b[i][j] += a[k][i] * b[k][j];
}

void upper(int m, int n, double (*restrict a)[N], double (*restrict c)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[k][i] * a[k][j];
}
#ifdef MAIN
#include <stdio.h>
static double x[N][N], y[N][N], z[N][N];
int main(void) {
  const int sizes[][2] = {{9, 8}, {24, 24}, {41, 7}, {96, 120}, {121, 121}, {1, 121}, {121, 1}, {0, 5}, {5, 0}};
  for (int s = 0; s < 9; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        x[i][j] = (i * 7 + j) % 31 * 0.125;
        y[i][j] = (i + j * 5) % 29 * 1e-3;
        z[i][j] = i - j;
      }
    late(sizes[s][0], sizes[s][1], x, y);
    upper(sizes[s][0], sizes[s][1], x, z);
    fwrite(y, sizeof y, 1, stdout);
    fwrite(z, sizeof z, 1, stdout);
  }
}
#endif
