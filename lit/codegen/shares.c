// Tiles that threads take are as many as a multiple of the threads: their size is found when the region is entered.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=schedule,ast;only=product" %clang -O3 -march=znver4 -fopenmp -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=IR --input-file %t.ll %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=1 %t.tiled | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.tiled | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=7 %t.tiled | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
//
// CHECK: sizes:
// CHECK-NEXT: - { name: [[SIZE:s[0-9]+]], default: {{[0-9]+}}, multiple_of: 8, dealt: 1 }
// CHECK: // parallel
// CHECK-NEXT: for ([[I:c[0-9]+]] = 0; [[I]] <= (p0 - 1); [[I]] += [[SIZE]])
//
// IR-LABEL: define {{.*}}@product(
// IR: call {{.*}}i64 @polytile.threads{{.*}}(i64
// IR: udiv
// IR: call i64 @polytile.fork(
void product(int n, double (*restrict a)[256], double (*restrict b)[256], double (*restrict c)[256]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 256; j++)
      for (int k = 0; k < 256; k++)
        c[i][j] += a[i][k] * b[k][j];
}
#ifdef MAIN
#include <stdio.h>
static double a[256][256], b[256][256], c[256][256];
int main(void) {
  static const int sizes[] = {1, 8, 17, 80, 81, 100, 159, 160, 161, 240, 256};
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      a[i][j] = (i * 7 + j) % 31 / 4.0, b[i][j] = (i + j * 5) % 29 / 8.0;
  for (int s = 0; s < 11; s++) {
    product(sizes[s], a, b, c);
    double sum = 0;
    for (int i = 0; i < 256; i++)
      for (int j = 0; j < 256; j++)
        sum = sum * 0.75 + c[i][j];
    printf("%d %a\n", sizes[s], sum);
  }
  return 0;
}
#endif
