// CPUs for which the back end prefers vectors of half the width of their registers: what register tiles are planned for
// is legal in their functions, so that no vector is split. The functions around them are not touched.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=skylake-avx512 -fopenmp -S -emit-llvm -o - %s | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=skylake-avx512 -fopenmp -S -o - %s | FileCheck --check-prefix=ASM %s
//
// CHECK: define internal {{.*}}@product{{.*}}team{{[^)]*\)}} [[TEAM:#[0-9]+]]
// CHECK: define internal {{.*}}@product{{.*}}tile{{[^)]*\)}} [[TILE:#[0-9]+]]
// CHECK: attributes [[TEAM]] = {{.*}}"min-legal-vector-width"="512"
// CHECK: attributes [[TILE]] = {{.*}}"min-legal-vector-width"="512"
// CHECK-NOT: attributes {{.*}}"min-legal-vector-width"="512"
//
// ASM: product{{.*}}tile
// ASM: vfmadd231pd {{.*}}zmm
void product(int n, int m, double *restrict a, double (*restrict b)[200], double (*restrict c)[200]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 200; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i * 300 + k] * b[k][j];
}
