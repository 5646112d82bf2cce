// Every stage of a matrix product, as text.
// RUN: env "POLYTILE=dump=scop,deps,schedule,ast" %clang -O2 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: array [[C:M[0-9]+_[a-z0-9_]*]] f64 memory {{.*}}strides (8000 8)
// CHECK: stmt S0
// CHECK: domain { S0[i0, i1, i2] :
// CHECK: S0 -> S0 flow anti output
// CHECK: register_tile: { stmt: S0
// CHECK: // parallel
// CHECK: tile 8x3x8 S0
void product(int n, double c[1000][1000], double a[1000][1000], double b[1000][1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
