// With verify=on the loops that code is generated for are read back and held against the source: register tiles with copies of operands and
// heads, lanes with panels.
// RUN: env "POLYTILE=min-work=0;verify=on;log=debug" %clang -O3 -march=x86-64-v3 -c -o /dev/null %s 2>&1 | FileCheck %s
//
// CHECK-NOT: not proved
// CHECK: candidates: proved
// CHECK-NOT: not proved
// CHECK: candidates: proved
// CHECK-NOT: not proved
#define N 600
void product(int n, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void elimination(int n, double (*restrict a)[N]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}
