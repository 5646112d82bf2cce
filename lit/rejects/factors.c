// Factors of many digits make exact tests endless: such a nest is declined before anything is asked of it.
// RUN: %clang -O2 -S -Rpass=polytile -Rpass-missed=polytile -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: factors.c:6:{{.*}}: remark: loop nest not transformed: factors of iterators are too large for exact tests
// CHECK-NOT: loop nest transformed
void f(long n, long m, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < n; k++)
        a[1000003 * i + 999979 * j + 999961 * k] += b[999331 * k - 31337 * j + 7001 * i] * a[65537 * i + 13 * k];
}
