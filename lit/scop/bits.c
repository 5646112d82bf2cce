// A bit that is set counts as one where the compiler extends it (`i & 1`, a `bool` in a subscript), although it is -1 as a signed number:
// a loop that begins at every other column, and accesses that a flag moves by one element.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdbool.h>
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "alternate
// CHECK-NOT: assume no-wrap
// CHECK: domain { S0[i0, i1] : 0 <= i0 < {{.*}} and i1 >= 0 and 2*floor((i0)/2) > {{.*}} + i0 + i1 }
NI void alternate(long n, long m, double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = i & 1; j < m; j++)
      a[i * m + j] += b[j] * i;
}

// CHECK: scop "moved
// CHECK: context { {{.*}}: -1 <= [[BIT:[a-z0-9_]+]] <= 0 }
// CHECK-NOT: assume no-wrap
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_a[i0, -[[BIT]] + i1] }
NI void moved(long n, long m, double *restrict a, const double *restrict b, bool shift) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m - 1; j++)
      a[i * m + j + shift] += b[i * m + j];
}

#ifdef MAIN
enum { N = 23, M = 37 };
static double a[N * M], b[N * M];
int main(void) {
  for (long i = 0; i < N * M; i++) {
    a[i] = i % 11;
    b[i] = i % 7 + .5;
  }
  alternate(N, M, a, b);
  moved(N, M, a, b, false);
  moved(N, M, a, b, true);
  for (long i = 0; i < N * M; i++)
    printf("%.17g\n", a[i]);
}
#endif
