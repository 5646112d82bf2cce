// Rows inwards: `i` may not pass the five fields, which have too few rows to tell fields of one array from its rows, but `k`, along which memory is
// contiguous, may be the innermost loop. It was `i`, eleven kilobytes from element to element.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=scale" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.inward
// RUN: env OMP_NUM_THREADS=3 %t.inward | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.inward | cmp - %t.expected

// CHECK: // parallel
// CHECK-NEXT: for ([[J:c[0-9]+]] =
// CHECK-NEXT: for ([[M:c[0-9]+]] = 0; [[M]] <= 4;
// CHECK-NEXT: for ([[I:c[0-9]+]] =
// CHECK-NEXT: // vector
// CHECK-NEXT: for ([[K:c[0-9]+]] =
// CHECK-NEXT: S0([[M]], [[I]], [[J]], [[K]]);
#define ROWS 7
#define SOME 6
#include "Inputs/fields.h"
