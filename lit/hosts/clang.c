// clang loads the plugin at -O1 and above; -O0 and optnone functions are left alone.
// RUN: %clang -O2 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O0 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE --allow-empty %s
// CHECK: clang.c:[[@LINE+5]]:3: remark: {{.*}}transformed
// CHECK-NOT: remark: {{.*}}transformed
// NONE-NOT: remark
void scale(int n, int m, double a[n][m], double b[n][m]) {
  // A million elements are worth two threads.
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 2.0 * b[j < m ? i : 0][j];
}
__attribute__((optnone, noinline)) void left_alone(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 1.0;
}
