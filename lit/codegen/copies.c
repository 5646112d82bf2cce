// Copies of operands whose memory is contiguous along the reduction: squares are transposed in registers, whole lines are
// stored, and the lines of the next rows are requested. The threads share the panels of the copy that serves all of them.
// A register tile requests the cells of the next one before its loop.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -fopenmp -S -emit-llvm -o - %s | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver3 -fopenmp -S -emit-llvm -o - %s | FileCheck --check-prefix=AVX2 %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.tiled | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 MALLOC_PERTURB_=255 %t.tiled | cmp - %t.expected
//
// Parallel loops: the panels of `b`, then blocks of rows.
// CHECK-LABEL: define {{.*}}@product(
// CHECK: call i64 @polytile.fork({{.*}} @product{{[^,]*}}, ptr
// CHECK-NOT: call i64 @polytile.fork(
//
// CHECK: define internal {{.*}}@product{{.*}}team
// CHECK: load <8 x double>
// CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// CHECK-COUNT-24: shufflevector <8 x double>
// CHECK: store <8 x double>
//
// The factor is applied to eight elements at a time.
// CHECK: load <8 x double>
// CHECK: fmul <8 x double>
// CHECK-COUNT-24: shufflevector <8 x double>
// CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
// CHECK: call {{.*}}@llvm.fma.v8f64
//
// AVX2: define internal {{.*}}@product{{.*}}team
// AVX2-COUNT-8: shufflevector <4 x double>
// AVX2: store <4 x double>
#define N 203
void product(int n, int m, double f, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += f * a[i][k] * b[j][k];
}
#ifdef MAIN
#include <stdio.h>
static double x[N][N], y[N][N], z[N][N];
int main(void) {
  const int sizes[][2] = {{9, 8}, {24, 16}, {41, 7}, {100, 33}, {203, 203}, {1, 203}, {203, 1}, {0, 5}, {5, 0}};
  for (int s = 0; s < 9; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        x[i][j] = (i * 7 + j) % 31 * 0.125;
        y[i][j] = (i + j * 5) % 29 * 1e-3;
        z[i][j] = i - j;
      }
    product(sizes[s][0], sizes[s][1], 1.7, x, y, z);
    fwrite(z, sizeof z, 1, stdout);
  }
}
#endif
