// Which write a read's value comes from is asked for scalars, not for the arrays beside them: for the cells of 'a' alone the
// answer takes more work than a region may.
// RUN: env POLYTILE=min-work=0 %clang -O1 -g1 -Rpass-analysis=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: beside.c:[[@LINE+3]]:3: remark: static control part: 3 statements, 5 loops
void beside(unsigned n, unsigned long m, int a[restrict 8][31][32], int *restrict b, double *restrict c, double *restrict d) {
  double s = 1;
  for (int i = m; i-- > 0;)
    for (long j = i; j < (long)n - i; j += 2)
      for (long k = 0; k < m; k++)
        a[(k - 2) / 4][j][k] &= b[j * m + k];
  for (unsigned long i = 0; i < (m + 1) / 2; i++)
    for (long j = i; j >= 0; j--)
      s += c[j + 1];
  *d = s;
}
// CHECK-NOT: not transformed
