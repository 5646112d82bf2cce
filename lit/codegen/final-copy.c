// A factor that is read transposed and overwritten in place: each block of the result copies, in columns, what it reads
// and does not write itself, and a register tile runs the updates by these columns. The rest follows step by step.
// RUN: env "POLYTILE=dump=ast;min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled -lm
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.tiled | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=native -DMAIN %s -o %t.alone -lm && %t.alone | cmp - %t.expected
//
// CHECK: for ([[K:c[0-9]+]] = {{.*}} ? {{.*}} : {{.*}}; [[K]] <=
// CHECK: for ({{.*}} <= (min([[K]], {{c[0-9]+}}) - 1);
// CHECK-NEXT: buffer0[
// CHECK: tile 8x3x8 S0{{.*}} for k = {{.*}}[[K]])
// CHECK-NEXT: lane operands [n2] from buffer0
#include <math.h>
void factor(int n, double (*restrict a)[300]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = sqrt(a[i][i]);
  }
}
#ifdef MAIN
#include <stdio.h>
static double a[300][300];
int main(void) {
  for (int n = 1; n <= 300; n = n * 3 / 2 + 1) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = i == j ? n : (i * j + i + j) % 17 / 17.0;
    factor(n, a);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        printf("%a\n", a[i][j]);
  }
}
#endif
