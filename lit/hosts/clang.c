// clang and clang++ run the pass at -O1 and above.
// RUN: %clang -O1 -S -emit-llvm -o - %s -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %clang -O3 -S -emit-llvm -o - %s -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %clangxx -x c++ -O2 -S -emit-llvm -o - %s -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s -mllvm -polytile-parallel=off | FileCheck %s --check-prefix=SEQUENTIAL
//
// Nothing happens at -O0, in functions that are not to be optimized, and in those that are to be small.
// RUN: %clang -O0 -S -emit-llvm -o - %s -Rpass=polytile 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: %clang -O0 -Xclang -disable-O0-optnone -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NOTHING
// RUN: %clang -Oz -S -emit-llvm -o - %s -Rpass=polytile 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: %clang -DATTRIBUTES='__attribute__((optnone,noinline))' -O2 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NOTHING
//
// CHECK: clang.c:[[#@LINE+8]]:{{[0-9]+}}: remark: loop nest transformed
// CHECK: call {{.*}}@__kmpc_fork_call(
// SEQUENTIAL-NOT: __kmpc_fork_call
// NOTHING-NOT: {{remark:|@[^ (]*(polytile|kmpc)}}
#ifndef ATTRIBUTES
#define ATTRIBUTES
#endif
ATTRIBUTES void product(int n, double (*A)[400], double (*B)[400], double (*C)[400]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
