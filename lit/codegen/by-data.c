// What is written under a condition is stored under a branch, and what only one side needs is computed there. LLVM's vectorizer
// makes masks of such branches.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O2 -fno-vectorize -fno-unroll-loops -emit-llvm -S -o - %s | FileCheck %s
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O2 -march=x86-64-v3 -emit-llvm -S -o - %s | FileCheck %s --check-prefix=LANES

// CHECK-LABEL: define internal void @above.polytile.team(
// CHECK: fcmp ogt double
// CHECK: br i1 %{{[^,]*}}, label %[[THEN:[0-9]+]],
// CHECK: {{^}}[[THEN]]:
// CHECK: fdiv
// CHECK-NOT: br
// CHECK: store double
// LANES-LABEL: define internal void @above.polytile.team(
// LANES: call void @llvm.masked.store
void above(long n, double (*restrict a)[512], double (*restrict b)[512], double (*restrict c)[512]) {
  for (long j = 0; j < 512; j++)
    for (long i = 0; i < n; i++)
      if (b[i][j] > 1)
        a[i][j] = b[i][j] / c[i][j];
}

// An integer that is cheap on both sides is selected.
// CHECK-LABEL: define internal void @chosen.polytile.team(
// CHECK: select i1
void chosen(long n, int (*restrict a)[512], int (*restrict b)[512]) {
  for (long j = 0; j < 512; j++)
    for (long i = 0; i < n; i++)
      a[i][j] = b[i][j] == 3 || (b[i][j] == 2 && a[i][j] != 7);
}
