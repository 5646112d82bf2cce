// The cell of a sum may lie at an address that is no affine function: windows whose width changes with the step of a loop around (t % 4). All
// accesses of the sum to it are written in the same way, and no other meets the array: it is in a register while the loop runs.
// RUN: env "POLYTILE=min-work=0;tile=off;vectorize=off" %clang -O3 -march=x86-64 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env 'POLYTILE=min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#define W 90
#define H 40

// CHECK-LABEL: define internal {{.*}}@least.polytile{{.*}}(
// The cell is what was stored right before: nothing loads it.
// CHECK: store i8 [[FIRST:%.*]], ptr [[CELL:%[0-9]+]],
// CHECK-NOT: load i8, ptr [[CELL]],
// CHECK: phi i8 [ [[FIRST]], {{.*}} ]
// CHECK: call i8 @llvm.umin.i8(
__attribute__((noinline)) void least(unsigned char (*restrict a)[W], unsigned char (*restrict b)[W]) {
  for (int t = 0; t < 8; t++) {
    int r = 2 + t % 4;
    for (int y = 0; y < H; y++)
      for (int x = r; x < W - r; x++) {
        unsigned char v = a[y][x - r];
        for (int k = -r + 1; k <= r; k++)
          v = a[y][x + k] < v ? a[y][x + k] : v;
        b[y][x] = v;
      }
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        a[y][x] += b[y][x] & 3;
  }
}

#ifdef MAIN
#include <stdio.h>
static unsigned char a[H][W], b[H][W];
int main(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      a[y][x] = (x * 31 + y * 17) * 7 >> 2;
  least(a, b);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      printf("%d %d\n", a[y][x], b[y][x]);
}
#endif
