// Rows of n + 1 or n + 2 elements, as a border makes them: one subscript per dimension, whether the program declares the rows
// or multiplies by hand. A diagonal of rows of n elements moves by n + 1 elements, too.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define NI __attribute__((noinline))

// CHECK: scop "declared
// CHECK: array [[A:M[0-9]_a]] f64 memory {{.*}} extents ((mul 1 (add nsw 2 (sext [[M:v[0-9]+]]:32))))
// CHECK: read { S0[i0, i1] -> [[A]][i0, 1 + i1] }
NI void declared(int n, int m, double a[restrict n + 2][m + 2], double b[restrict n + 2][m + 2]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      b[i][j] = .25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// CHECK: scop "by_hand
// CHECK: array [[A:M[0-9]_a]] f64 memory {{.*}} strides ((mul 8 (add nsw 2 (sext {{v[0-9]+}}:32))) 8)
// CHECK: read { S0[i0, i1] -> [[A]][i0, 1 + i1] }
NI void by_hand(int n, double *restrict a, double *restrict b) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      b[i * (n + 2) + j] =
          .25 * (a[(i - 1) * (n + 2) + j] + a[(i + 1) * (n + 2) + j] + a[i * (n + 2) + j - 1] + a[i * (n + 2) + j + 1]);
}

// CHECK: scop "planes
// CHECK: read { S0[i0, i1, i2] -> M{{[0-9]}}_a[1 + i0, 2 + i1, i2] }
NI void planes(long n, long m, long l, double *restrict a, double *restrict b) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++)
      for (long k = 1; k <= l; k++)
        b[(i * (m + 2) + j) * (l + 3) + k] = a[(i * (m + 2) + j + 1) * (l + 3) + k - 1] + a[((i - 1) * (m + 2) + j) * (l + 3) + k];
}

// Everything moves with k along the diagonal; the row is what i moves by.
// CHECK: scop "eliminated
// CHECK: write { S0[i0, i1] -> [[A:M[0-9]_a]][2 + i0 + i1, 1 + i0] }
// CHECK: write { S1[i0, i1, i2] -> [[A]][2 + i0 + i1, 2 + i0 + i2] }
NI void eliminated(int n, double a[n + 1][n + 1]) {
  for (int k = 1; k <= n; k++)
    for (int i = k + 1; i <= n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j <= n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

// CHECK: scop "diagonal
// CHECK: write { S0[i0] -> [[A:M[0-9]_a]][i0, i0] }
// CHECK: read { S1[i0, i1] -> [[A]][i1, i0] }
NI void diagonal(int n, double a[restrict n][n], double *restrict s) {
  for (int i = 0; i < n; i++) {
    a[i][i] += 1;
    for (int j = 0; j < n; j++)
      s[i] += a[j][i];
  }
}

// Everything moves by rows and columns at once: nothing has to be assumed for rows of n elements.
// CHECK: scop "upper
// CHECK: {{read|write}} { S{{[0-9]}}[i0, i1{{.*}}] -> M{{[0-9]}}_a[i0, 1 + i0 + i1] }
NI void upper(int n, double a[restrict n][n], double *restrict s) {
  for (int i = 0; i < n; i++) {
    s[i] *= a[i][i];
    for (int j = i + 1; j < n; j++)
      s[i] += a[i][j];
  }
}

#ifdef MAIN
static double x[60 * 60 * 60], y[60 * 60 * 60];
static void print(void) {
  for (int i = 0; i < 60 * 60 * 60; i++)
    if (i % 7 == 0 || x[i] != y[i])
      printf("%a %a\n", x[i], y[i]);
}
int main(void) {
  for (int n = 0; n < 50; n += 7) {
    for (int i = 0; i < 60 * 60 * 60; i++) {
      x[i] = i % 13 + (i % 59 == 0 ? 50 : .5);
      y[i] = i % 7;
    }
    declared(n, n + 3, (void *)x, (void *)y);
    by_hand(n, y, x);
    planes(n, n + 1, n - 1, x, y);
    eliminated(n, (void *)x);
    diagonal(n, (void *)x, y);
    upper(n, (void *)y, x);
    print();
  }
}
#endif
