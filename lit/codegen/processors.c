// Models of processors: register tiles fill the registers of each, on vectors of the full width, and their loops keep
// everything in registers; in a rectangle (with a packed operand) and in a triangle.
// DEFINE: %{options} = -O3 -S -o - %s
// DEFINE: %{hot} = %python %S/Inputs/hot_loops.py
// RUN: env POLYTILE=min-work=0 %clang -march=haswell %{options} | %{hot} | FileCheck --check-prefix=AVX2 %s
// RUN: env POLYTILE=min-work=0 %clang -march=znver3 %{options} | %{hot} | FileCheck --check-prefix=AVX2 %s
// RUN: env POLYTILE=min-work=0 %clang -march=x86-64-v3 %{options} | %{hot} | FileCheck --check-prefix=AVX2 %s
// RUN: env POLYTILE=min-work=0 %clang -march=sandybridge %{options} | %{hot} | FileCheck --check-prefix=AVX %s
// RUN: env POLYTILE=min-work=0 %clang -march=skylake-avx512 %{options} | %{hot} | FileCheck --check-prefix=AVX512 %s
// RUN: env POLYTILE=min-work=0 %clang -march=sapphirerapids %{options} | %{hot} | FileCheck --check-prefix=AVX512 %s
// RUN: env POLYTILE=min-work=0 %clang -march=znver4 %{options} | %{hot} | FileCheck --check-prefix=AVX512 %s
// RUN: env POLYTILE=min-work=0 %clang -march=znver5 %{options} | %{hot} | FileCheck --check-prefix=AVX512 %s
// RUN: env POLYTILE=min-work=0 %clang --target=aarch64-linux-gnu -mcpu=neoverse-n1 %{options} | %{hot} | FileCheck --check-prefix=NEON %s
// RUN: env POLYTILE=min-work=0 %clang --target=aarch64-linux-gnu -mcpu=neoverse-v1 %{options} | %{hot} | FileCheck --check-prefix=NEON %s
// RUN: env POLYTILE=min-work=0 %clang --target=aarch64-linux-gnu -mcpu=neoverse-v2 %{options} | %{hot} | FileCheck --check-prefix=NEON %s
// RUN: env POLYTILE=min-work=0 %clang --target=aarch64-linux-gnu -mcpu=apple-m1 %{options} | %{hot} | FileCheck --check-prefix=NEON %s
//
// AVX: product.polytile.tile: 12 multiply-adds on 256 bits, 0 on the stack
// AVX: late.polytile.tile: 12 multiply-adds on 256 bits, 0 on the stack
// AVX2: product.polytile.tile: 12 multiply-adds on 256 bits, 0 on the stack
// AVX2: late.polytile.tile: 12 multiply-adds on 256 bits, 0 on the stack
// AVX512: product.polytile.tile: 24 multiply-adds on 512 bits, 0 on the stack
// AVX512: late.polytile.tile: 24 multiply-adds on 512 bits, 0 on the stack
// NEON: product.polytile.tile: 24 multiply-adds on 128 bits, 0 on the stack
// NEON: late.polytile.tile: 24 multiply-adds on 128 bits, 0 on the stack
void product(int n, double f, double (*restrict a)[1000], double (*restrict b)[1000], double (*restrict c)[1000]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += f * a[i][k] * b[k][j];
}

void late(int m, int n, double (*restrict a)[1000], double (*restrict b)[1000]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < m; k++)
        b[i][j] += a[k][i] * b[k][j];
}
