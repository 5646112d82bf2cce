// Where addresses and bounds of innermost loops begin is nothing that strength reduction looks into, when all other passes are over.
// RUN: env "POLYTILE=min-work=0;parallel=off" %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel=off" %clang -O3 -march=znver4 -flto -S -emit-llvm -o - %s | FileCheck --check-prefix=LTO %s
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=znver4 -fopenmp -DNEST -gline-tables-only -Rpass=loop-unroll -c -o %t.o %s 2>&1 | FileCheck --check-prefix=NEST %s

// CHECK-LABEL: define {{.*}} @product(
// CHECK-NOT: strip.invariant.group
// CHECK-LABEL: define {{.*}} @product.polytile.
// CHECK: call ptr @llvm.strip.invariant.group.p0(
// LTO-NOT: strip.invariant.group
#ifndef NEST
void product(int n, double A[restrict 500][500], double B[restrict 500][500], double C[restrict 500][500]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                C[i][j] += A[i][k] * B[k][j];
}
#else
// Loops around loops stay as they are: two of their iterations one behind the other are no faster.
// NEST: :3:9: remark: unrolled loop
// NEST-NOT: :1:23: remark: unrolled loop
void solve(int n, double L[restrict 2000][2000], double x[restrict 2000], double b[restrict 2000]) {
#line 1
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}
#endif
