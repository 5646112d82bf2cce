// A region whose budget is spent stays as it is. The budget counts work, not time: the same on any machine, however loaded.
// RUN: env POLYTILE='budget=0' %clang -O2 -S -Rpass=polytile -Rpass-missed=polytile -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: remark: loop nest not transformed: work budget exceeded
// CHECK-NOT: loop nest transformed
// No stage may take more than its share.
// RUN: env POLYTILE='budget=3000' %clang -O2 -S -Rpass=polytile -Rpass-missed=polytile -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SHARE
// SHARE: remark: loop nest not transformed: operation quota exceeded
// SHARE-NOT: loop nest transformed
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
// A function has an account for all of its regions.
// RUN: env POLYTILE='budget=130000;only=g' %clang -O2 -S -Rpass=polytile -Rpass-missed=polytile -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ACCOUNT
// ACCOUNT: remark: loop nest not transformed: the work for its function is spent
#define NEST                                                                                                                     \
  for (int i = 0; i < n; i++)                                                                                                    \
    for (int j = 0; j < n; j++)                                                                                                  \
      a[j][i] += b[i][j];                                                                                                        \
  __asm__ volatile("" ::: "memory");
void g(int n, double (*restrict a)[200], double (*restrict b)[200]) {
  NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST NEST
}
