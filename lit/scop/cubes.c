// Cubes of n + 2 elements a side: strides are powers of a sum, n*n + 4*n + 4.
// RUN: %clang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang-22 -O1 -march=native -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

#define AT(i, j, k) (((k) * (n + 2) + (j)) * (n + 2) + (i))

// CHECK: scop "{{.*}}smooth
// CHECK: write { S0[i0, i1, i2] -> M{{[a-z0-9_]*}}[1 + i0, 1 + i1, 1 + i2] }
__attribute__((noinline)) void smooth(long n, const double *u, double *v) {
  for (long k = 1; k <= n; k++)
    for (long j = 1; j <= n; j++)
      for (long i = 1; i <= n; i++)
        v[AT(i, j, k)] = u[AT(i, j, k)] + u[AT(i - 1, j, k)] + u[AT(i, j + 1, k)] - u[AT(i, j, k + 1)];
}

// CHECK: scop "{{.*}}sweep
// CHECK: write { S0[i0, i1, i2] -> M{{[a-z0-9_]*}}[1 + i0, 1 + i1, 1 + i2] }
__attribute__((noinline)) void sweep(int n, double *u) {
  for (int k = 1; k <= n; k++)
    for (int j = 1; j <= n; j++)
      for (int i = 1; i <= n; i++)
        u[AT(i, j, k)] = (u[AT(i - 1, j, k)] + u[AT(i, j - 1, k)] + u[AT(i, j, k - 1)]) / 3 + u[AT(i, j, k)];
}

// CHECK: scop "{{.*}}four
// CHECK: write { S0[i0, i1, i2, i3] -> M{{[a-z0-9_]*}}[i0, i1, i2, i3] }
__attribute__((noinline)) void four(long n, double *u) {
  for (long l = 0; l < n - 1; l++)
    for (long k = 0; k < n - 1; k++)
      for (long j = 0; j < n - 1; j++)
        for (long i = 0; i < n - 1; i++)
          u[((l * (n - 1) + k) * (n - 1) + j) * (n - 1) + i] += l * 2. + k * j - i;
}

// Planes of n*(n + 4) elements, which is (n + 2)*(n + 2) - 4: whatever it is taken for, the result is the same.
__attribute__((noinline)) void oblong(long n, double *u) {
  for (long k = 1; k < n; k++)
    for (long j = 1; j < n; j++)
      for (long i = 1; i < n; i++)
        u[(k * n + j) * (n + 4) + i] = u[(k * n + j - 1) * (n + 4) + i] * .5 + u[((k - 1) * n + j) * (n + 4) + i + 1];
}

int main(void) {
  for (int n = -2; n < 12; n += n < 3 ? 1 : 7) {
    int size = 20000;
    double *u = malloc(size * sizeof *u), *v = calloc(size, sizeof *v), sum = 0;
    for (int i = 0; i < size; i++)
      u[i] = i % 17 + i * .001;
    smooth(n, u, v);
    sweep(n, u);
    four(n, v);
    oblong(n, u);
    // Over each other.
    smooth(n, u, u + 1);
    for (int i = 0; i < size; i++)
      sum = sum * .999 + u[i] - v[i] * .5;
    printf("%a\n", sum);
    free(u);
    free(v);
  }
}
