// Constant sizes are parameters for the search, and numbers again in the program: the same schedule as with run-time sizes,
// and no test in front of it whether the work pays.
// RUN: env "POLYTILE=dump=scop,ast" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=IR %s < %t.ll
// RUN: env "POLYTILE=min-work=0;only=remainder" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=NUMBERS
// CHECK: context { {{ *}}: c2000 >= 4 }
// CHECK: domain { S0[i0, i1, i2] : i0 < c2000 and i1 < i0 and 0 <= i2 < i1 }
// CHECK: p0 - 1
// CHECK: tile {{[0-9]+x[0-9]+x[0-9]+}} S
// CHECK: remark: loop nest transformed: 3 statements, {{.*}} register tiles
// IR-LABEL: define {{.*}}@lu(
// IR-NOT: icmp
// IR: call {{.*}}@lu.polytile.{{[a-z0-9]+}}(
// IR: define internal {{.*}}@lu.polytile
void lu(double a[2000][2000]) {
  for (int i = 0; i < 2000; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < 2000; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// Numbers that only together say which element is read stay numbers.
// NUMBERS: symbolic.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement
void remainder(long n, long m, int from, int a[restrict][3], int *restrict b) {
  for (int i = from; i < n; i++)
    for (long j = 2; j < n; j++)
      a[j][0] = b[((i + 2) % 9 + 18) * m + j];
}
