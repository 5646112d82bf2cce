// Every nest has a remark at its own place: also the ones that share a static control part with another, and those that were
// inlined from another function of the file.
// RUN: %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: nests.c:[[@LINE+4]]:3: remark: loop nest transformed: 2 statements
// CHECK: nests.c:[[@LINE+9]]:3: remark: loop nest transformed together with the one at {{.*}}nests.c:[[@LINE+3]]:3
// CHECK-NOT: remark
static inline void scale(int n, double f, double (*restrict a)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] *= f;
}
void product(int n, double f, double (*restrict a)[1000], double (*restrict b)[1000], double (*restrict c)[1000]) {
  scale(n, f, a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
// LLVM splits loops: two nests of one place have one remark.
// RUN: %clang -O3 -march=znver4 -fopenmp -g1 -Rpass=polytile -S -o /dev/null %S/../../examples/covariance.c 2>&1 | FileCheck --check-prefix=ONCE %s
// ONCE: covariance.c:24:5: remark: loop nest transformed together
// ONCE-NOT: covariance.c:24:5:
