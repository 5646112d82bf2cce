// Packed operands: the rows of both factors of `a * transpose(b)` are copied to buffers in the order in which register
// tiles read them, so that columns of the result can lie in vector lanes although `b` is read along its rows.
// RUN: sed -n 's|^// S: ||p' %s > %t.yaml
// RUN: env "POLYTILE=schedule=%t.yaml;min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=schedule=%t.yaml;min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.packed
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.packed | cmp - %t.expected
// RUN: env POLYTILE=schedule=%t.yaml %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
//
// The buffer of the lane side exists once; that of the row side, in a product with the number of threads, once for each.
// CHECK-LABEL: define {{.*}}@product(
// CHECK: call i64 @polytile.threads{{.*}}(i64
// Both lie in one block.
// CHECK: call {{.*}}ptr @malloc(
// CHECK-NOT: @malloc(
// CHECK: call void @free(
//
// A full register tile: 3 vectors and 8 scalars per step, one after the other.
// CHECK: define internal {{.*}}@product{{.*}}team
// CHECK: phi <8 x double>
// CHECK-COUNT-3: load <8 x double>, ptr {{.*}}, align 64
// CHECK: load double, ptr
// CHECK-COUNT-3: @llvm.fma.v8f64
// CHECK: load double, ptr
// CHECK-COUNT-3: @llvm.fma.v8f64
//
// S: domain: "[pt0_0] -> { S0[i0, i1, i2] : 0 <= i0 < pt0_0 and 0 <= i1 < pt0_0 and 0 <= i2 < pt0_0 }"
// S: child:
// S:   schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i2)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i0)] }]"
// S:   permutable: 1
// S:   coincident: [ 1, 0, 1 ]
// S:   tile: [ whole, 40, whole ]
// S:   child:
// S:     pack: { stmt: S0, side: lane, operands: [ 3 ], member: 0, width: 24, reduction: 1 }
// S:     child:
// S:       schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i2)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i0)] }]"
// S:       permutable: 1
// S:       coincident: [ 1, 0, 1 ]
// S:       loops: [ sequential, sequential, parallel-dynamic-1 ]
// S:       tile: [ whole, whole, 16 ]
// S:       child:
// S:         pack: { stmt: S0, side: row, operands: [ 2 ], member: 2, width: 8, reduction: 1 }
// S:         child:
// S:           schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i2)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i0)] }]"
// S:           permutable: 1
// S:           coincident: [ 1, 0, 1 ]
// S:           tile: [ 24, whole, 8 ]
// S:           child:
// S:             register_tile: { stmt: S0, row: 2, rows: 8, lane: 0, vectors: 3, lanes: 8, reduction: 1 }
// S:             child:
// S:               schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i0)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i2)] }]"
// S:               permutable: 1
// S:               coincident: [ 1, 0, 1 ]
//
void product(int n, double f, double (*restrict a)[300], double (*restrict b)[300],
             double (*restrict c)[300]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += f * a[i][k] * b[j][k];
}
#ifdef MAIN
#include <stdio.h>
#include <string.h>
static double x[300][300], y[300][300], z[300][300];
static unsigned long run(int n) {
  unsigned long h = 0, w;
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++) {
      x[i][j] = (i * 7 + j) % 31 * 0.125;
      y[i][j] = (i + j * 5) % 29 * 1e-3;
      z[i][j] = i - j;
    }
  product(n, 1.7, x, y, z);
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++) {
      memcpy(&w, &z[i][j], 8);
      h = h * 1099511628211 + w;
    }
  return h;
}
int main(void) {
  const int sizes[] = {0, 1, 7, 24, 41, 193, 300};
  for (int i = 0; i < 7; i++)
    printf("%d %lx\n", sizes[i], run(sizes[i]));
}
#endif
