// What tiles load, store and hold (Darte and Isoard 2015): a product's tiles of 384 sums load a panel of B once per strip along the rows, and so do the register tiles in them.

// RUN: env "POLYTILE=dump=memory;stop-after=memory;only=product" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o /dev/null %s 2>&1 | FileCheck %s
void product(long n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
// CHECK: memory "product.{{.*}}" function "product": 2 tile bands
// CHECK-NEXT: band 1: S0 in tiles I of [[K:[0-9]+]] x s0
// CHECK-NEXT: full tiles { I[i0, i1] : 0 <= i0 <= -[[K]] + [[N:[a-z0-9_]+]] and 0 <= i1 <= -s0 + [[N]] }
// CHECK-NEXT: strips of 1:
// CHECK-NEXT:   [[C:M0_[a-z0-9_]+]] loads { I[i0, i1] -> [[C]][x0, x1] : i1 <= x0 < s0 + i1 and 0 <= x1 < [[N]] }
// CHECK-NEXT:     stores { I[i0, i1] -> [[C]][x0, x1] : i1 <= x0 < s0 + i1 and 0 <= x1 < [[N]] }
// CHECK-NEXT:     holds [s0, [[N]]], pipelined [2s0, [[N]]]
// CHECK-NEXT:     for any domain [s0, *], pipelined [2s0, *]
// CHECK-NEXT:   [[A:M1_[a-z0-9_]+]] loads { I[i0, i1] -> [[A]][x0, x1] : i1 <= x0 < s0 + i1 and i0 <= x1 <= {{[0-9]+}} + i0 }
// CHECK-NEXT:     stores nothing
// CHECK-NEXT:     holds [s0, [[K]]], pipelined [2s0, [[K]]]
// CHECK-NEXT:     for any domain [s0, [[K]]], pipelined [2s0, [[K]]]
// CHECK-NEXT:   [[B:M2_[a-z0-9_]+]] loads { I[i0, i1 = 0] -> [[B]][x0, x1] : i0 <= x0 <= {{[0-9]+}} + i0 and 0 <= x1 < [[N]] }
// CHECK-NEXT:     stores nothing
// CHECK-NEXT:     holds {{\[}}[[K]], [[N]]], pipelined {{\[}}[[K]], [[N]]]
// CHECK: strips of 2:
// CHECK: band 2: S0 in tiles I of [[LANES:[0-9]+]] x [[ROWS:[0-9]+]], at at0, at1 of the loops around
// CHECK: strips of 1:
// CHECK:   [[B]] loads { I[i0, i1 = at1] -> [[B]]
// CHECK-NEXT:     stores nothing
// CHECK-NEXT:     holds {{\[}}[[K]], [[LANES]]], pipelined {{\[}}[[K]], [[LANES]]]

// As a pass of opt, like the other stages.
// RUN: %plainclang -O1 -fno-vectorize -fno-unroll-loops -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='print<polytile-memory;only=product>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=OPT %s
// OPT: memory "product.{{.*}}" function "product": {{[0-9]+}} tile band
// OPT: strips of 1:
// OPT: loads { I[

// Without tiles there is nothing to say.
// RUN: env "POLYTILE=dump=memory;stop-after=memory;only=copy" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=COPY %s
void copy(long n, double A[restrict n][n], double B[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            A[i][j] = 2 * B[i][j];
}
// COPY: memory "copy.{{.*}}" function "copy": 0 tile bands
