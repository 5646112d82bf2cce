// The original beside a new version is what it would be alone: the new version is a function of its own, called from one cold place.
// RUN: %clang -O3 -g1 -march=x86-64-v3 -fno-unroll-loops -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 -S -fstack-usage -o %t.s %s && FileCheck %s --check-prefix=FRAME < %t.su
// RUN: %clang -O3 -march=x86-64-v3 -S -o /dev/null -mllvm -print-before=loop-vectorize -mllvm -filter-print-funcs=beside %s 2>&1 | \
// RUN:   FileCheck %s --check-prefix=LATCH

// What the version needs is handed over; registers stay the caller's; nothing is allocated.
// CHECK-LABEL: define {{.*}}@sweeps(
// CHECK-NOT: alloca
// CHECK-NOT: llvm.loop.align
// CHECK: call preserve_mostcc { i1{{.*}} } @sweeps.polytile.[[LINE:[0-9]+]]({{.*}}) [[COLD:#[0-9]+]]
// CHECK-NOT: alloca
// CHECK: {{^}}}
// CHECK: define internal {{.*}}preserve_mostcc { i1{{.*}} } @sweeps.polytile.[[LINE]](
// CHECK: attributes [[COLD]] = { cold }

// The board of a team does not lie in the frame of the program's function.
// FRAME: sweeps{{[[:space:]]+[0-9]?[0-9]?[0-9][[:space:]]}}
double sweeps(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]) * 0.2;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] = b[i * n + j];
  }
  return a[n] * b[n];
}

// The loops of the second nest, which was cut out and given up, have latches that compare.
// LATCH: IR Dump Before LoopVectorizePass on beside
// LATCH-NOT: phi i1
// LATCH: @beside.polytile
void beside(int n, const double *restrict a, const double *restrict b, double *restrict c, double *s, double *u, double *v, const int *to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        s[to[j] + i] += u[i * to[j]] * v[j * n + k];
}
