// Fields of one array that only constants tell apart (the compiler has unrolled the loop over them) are a dimension: any loop may be moved across
// them. Threads share rows, not the five fields: two would take three and two of them.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=scale" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.planes
// RUN: env OMP_NUM_THREADS=3 %t.planes | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.planes | cmp - %t.expected

// CHECK: // parallel
// CHECK-NEXT: for ([[I:c[0-9]+]] =
// CHECK-NEXT: for ([[M:c[0-9]+]] = 0; [[M]] <= 4;
// CHECK-NEXT: for ([[J:c[0-9]+]] =
// CHECK-NEXT: // vector
// CHECK-NEXT: for ([[K:c[0-9]+]] =
// CHECK-NEXT: S0([[M]], [[I]], [[J]], [[K]]);
#define ROWS 37
#define SOME 20
#include "Inputs/fields.h"
