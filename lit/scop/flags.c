// Conditions that are the same in the whole nest, though not affine (`beta == 0`), are parameters of one bit: the nest is one
// static control part, and each way through it counts. Outside of loops they part regions.
// RUN: %clang -O2 -g1 -Rpass-analysis=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -polytile-dump=scop -mllvm -polytile-only=scale -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SCOP
// RUN: %plainclang -O1 -ffp-contract=off -DMAIN %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -ffp-contract=off -DMAIN %s -lm -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;tile-sizes=3;verify=on" %clang -O2 -ffp-contract=off -DMAIN %s -lm -o %t.small && %t.small | cmp - %t.expected

// CHECK: flags.c:[[@LINE+6]]:3: remark: static control part: 3 statements, 4 loops; {{.*}}[][], {{.*}}[][], {{.*}}[][]
// SCOP: context {{.*}} -1 <= p[[ZERO:[a-z0-9_]+]] <= 0
// SCOP-NOT: assume non-empty {{.*}}p[[ZERO]]
// SCOP: domain { S0[i0, i1] : p[[ZERO]] = -1
void scale(int n, int m, double alpha, double beta, double c[restrict n][m], double a[restrict n][m],
           double b[restrict n][n]) {
  for (int j = 0; j < n; j++) {
    if (beta == 0)
      for (int i = 0; i < m; i++)
        c[j][i] = 0;
    else if (beta != 1)
      for (int i = 0; i < m; i++)
        c[j][i] *= beta;
    for (int l = 0; l < n; l++)
      for (int i = 0; i < m; i++)
        c[j][i] += alpha * b[j][l] * a[l][i];
  }
}

// A flag that is an argument, and its opposite.
// CHECK: flags.c:[[@LINE+2]]:3: remark: static control part: 2 statements, 2 loops; {{.*}}[][], {{.*}}[][]
void either(int n, _Bool lower, double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (lower && j <= i)
        a[i][j] += b[i][j];
      if (!lower && j >= i)
        a[i][j] -= b[j][i];
    }
}

// What is not the same in each iteration is data, and decides about the statement.
// CHECK: flags.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; {{.*}}[][], {{.*}}[][]
void data(int n, double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[i][j] != 0)
        a[j][i] = a[i][j] + 1 / b[i][j];
}

// Rows whose length is `max(0, size)`, as Fortran front ends write it.
// CHECK: flags.c:[[@LINE+3]]:3: remark: static control part: 1 statement, 2 loops; argument 5 of extent[][]
void extent(int n, int m, int size, double beta, double *restrict c) {
  long row = size < 0 ? 0 : size;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      c[j * row + i] = beta * c[j * row + i] + c[j * row];
}

#ifdef MAIN
#include <math.h>
#include <stdio.h>
static double a[61 * 61], b[61 * 61], c[61 * 61 + 30];

static void show(const char *what) {
  double sum = 0;
  for (int i = 0; i < 61 * 61; i++)
    sum = sum * 1.0009765625 + c[i];
  printf("%s %a\n", what, sum);
}

int main(void) {
  double betas[] = {0, -0.0, 1, 2.5, -1, NAN};
  int sizes[] = {0, 1, 2, 17, 61};
  for (int s = 0; s < 5; s++)
    for (int t = 0; t < 6; t++) {
      for (int i = 0; i < 61 * 61; i++)
        a[i] = i % 13 * 0.37, b[i] = i % 7 * 0.11 - 0.3, c[i] = i % 17 - 3.3;
      int n = sizes[s];
      scale(n, 61 - 3 * t, 1.5, betas[t], (void *)c, (void *)a, (void *)b);
      show("scale");
      either(n, t & 1, (void *)c, (void *)a);
      show("either");
      data(n, (void *)c, (void *)b);
      show("data");
      extent(n, n, (t % 3 - 1) * n, betas[t], c + 30);
      extent(n, n, n, betas[t], c);
      show("extent");
    }
}
#endif
