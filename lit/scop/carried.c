// Values that a loop carries in registers.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -DMAIN %s -o %t.new && %plainclang -O1 -DMAIN %s -o %t.old
// RUN: %t.new > %t.new.txt && %t.old > %t.old.txt && cmp %t.new.txt %t.old.txt
#include <stdio.h>
#define N 61

// A value that begins with a constant is the constant or the cell stored last: no scalar, one copy for each.
// CHECK: scop "prefix
// CHECK-NOT: array V
// CHECK: domain { S0[i0, 0] :
// CHECK: domain { S1[i0, i1] : {{.*}}0 < i1
// CHECK: write { S1[i0, i1] -> M[[B:[0-9]]]_b[i0, i1] }
// CHECK: read { S1[i0, i1] -> M[[B]]_b[i0, -1 + i1] }
void prefix(int n, double a[N][N], double b[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      sum = 0.5 * sum + a[i][j];
      b[i][j] = sum;
    }
  }
}

// Values that rotate: one is put aside before the others change.
// CHECK: scop "rotate
// CHECK: array V
void rotate(int n, double a[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    double x = i, y = 1, z = 2;
    for (int j = 0; j < n; j++) {
      a[i][j] += x;
      double t = x;
      x = y;
      y = z;
      z = t * 0.75 + j;
    }
  }
}

#ifdef MAIN
double a[N][N], b[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * 7 % 11 + j;
  prefix(N - 1, a, b);
  rotate(N, b);
  prefix(1, b, a);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
}
#endif
