// Loops of new versions that do the same are one function, as copies of a function that is inlined; what differs in a constant is not.
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=znver4 -fopenmp -S -emit-llvm %s -o %t.ll
// RUN: opt-22 -passes=verify -disable-output %t.ll && FileCheck %s --input-file=%t.ll
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=znver4 -fopenmp -g -S -emit-llvm %s -o %t.g.ll
// RUN: opt-22 -passes=verify -disable-output %t.g.ll && FileCheck %s --input-file=%t.g.ll
//
// CHECK-NOT: define {{.*}}@{{second|also}}.polytile.team
// CHECK: define internal void @first.polytile.team(
// CHECK-NOT: define {{.*}}@{{second|also}}.polytile.team
// CHECK: define internal void @third.polytile.team(
// CHECK-NOT: define {{.*}}@{{second|also}}.polytile.team
static inline void product(long n, double factor, double *restrict c, const double *a, const double *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += factor * a[i * n + k] * b[k * n + j];
}

void first(long n, double *restrict c, const double *a, const double *b) { product(n, 2, c, a, b); }

void second(long n, double *restrict x, const double *y, const double *z) { product(n, 2, x, y, z); }

void third(long n, double *restrict c, const double *a, const double *b) { product(n, 3, c, a, b); }

// The arrays come in another order.
void also(long n, const double *b, const double *a, double *restrict c) { product(n, 2, c, a, b); }
