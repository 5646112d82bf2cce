// RUN: %clangxx -O2 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}transformed
void product(int n, const double *__restrict a, const double *__restrict b, double *__restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * 512 + j] += a[i * 512 + k] * b[k * 512 + j];
}
