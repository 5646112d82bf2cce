// A region whose time is over stays as it is. Without any time, that is every region, on any machine.
// RUN: env POLYTILE='budget-ms=0' %clang -O2 -S -Rpass=polytile -Rpass-missed=polytile -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: remark: loop nest not transformed: time budget exceeded
// CHECK-NOT: loop nest transformed
void f(int n, int steps, double (*restrict a)[200][200], double (*restrict b)[200][200]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        for (int k = 1; k < n; k++)
          b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        for (int k = 1; k < n; k++)
          a[i][j][k] = b[i - 1][j][k] + b[i + 1][j][k] + b[i][j - 1][k] + b[i][j + 1][k] + b[i][j][k - 1] + b[i][j][k + 1];
  }
}
