// Every other element is stored, of much that is computed: lanes compute it, and their elements are stored one by one where scatters are slow.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -fopenmp -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: define {{.*}}@every_other.polytile
// CHECK-NOT: masked.scatter
// CHECK: fmul {{.*}}<{{8|16}} x float>
#include <stdio.h>
enum { N = 3200 };

__attribute__((noinline)) void every_other(int n, float *restrict a, const float *restrict b, const float *restrict c, const float *restrict d) {
  for (int i = 0; i < n; i++)
    a[2 * i] = c[i] * b[i] + d[i] * b[i] + c[i] * c[i] + d[i] * b[i] + d[i] * c[i];
}

static float a[2 * N], b[N], c[N], d[N];

int main(void) {
  for (int i = 0; i < N; i++)
    a[2 * i] = a[2 * i + 1] = 3, b[i] = (float)(i % 7), c[i] = (float)(i % 5) * 0.5f, d[i] = (float)(i % 3);
  every_other(N, a, b, c, d);
  every_other(3, a + 1, b, c, d);
  float sum = 0;
  for (int i = 0; i < 2 * N; i++)
    sum = sum * 0.5f + a[i];
  printf("%a\n", sum);
}
