// A branch on data is no affine condition.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: condition.c:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}not transformed
void f(int n, int *restrict a, int *restrict b, int *restrict c) {
  for (int r = 0; r < n; r++)
    for (int i = 0; i < n; i++)
      if (b[i + r] > c[r]) {
        a[i] = b[i];
        b[i] = 1;
      }
}
