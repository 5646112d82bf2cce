// Quotients and remainders by constants in subscripts and conditions, as floors in the accesses and domains.
// RUN: %clang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
#define N 100

// CHECK: scop "quarter
// CHECK: read { S0[i0, i1] -> M0_argument_2[o0] : -3 + i1 <= 4o0 <= i1 }
void quarter(int n, double *restrict a, double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] += a[j / 4];
}

// What is left of a division is one subscript again, not a difference of two.
// CHECK: scop "buffers
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_argument_2[o0, 1 + i1] : (1 + i0 + o0) mod 2 = 0 and 0 <= o0 <= 1 }
void buffers(int n, double (*restrict a)[N]) {
  for (int t = 0; t < n; t++)
    for (int i = 1; i < N - 1; i++)
      a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[t % 2][i + 1];
}

// CHECK: scop "ring
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_argument_2[i1, o1] : (-1 - i0 + o1) mod 5 = 0 and 0 <= o1 <= 4 }
void ring(int n, double (*restrict a)[5], double *restrict b) {
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++)
      a[i][(t + 1) % 5] = a[i][t % 5] * 0.5 + b[i];
}

// CHECK: scop "blocks
// CHECK: write { S0[i0, i1] -> M0_argument_2[i0, o1, i1 - 8o1] : -7 + i1 <= 8o1 <= i1 }
void blocks(int n, double (*restrict a)[N][8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j / 8][j % 8] += 1;
}

// Signed: rounded towards zero.
// CHECK: scop "towards_zero
// CHECK: read { S0[i0, i1] -> M0_argument_2[o0] : {{.*}}4o0{{.*}} }
void towards_zero(int n, double *restrict a, double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] += a[N + (j - i) / 4];
}

// CHECK: scop "signed_rest
// CHECK: assume in-bounds {  : [[R:pt[0-9_]+]] <= 100 }
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[R]] and 0 <= i1 < [[R]] }
// CHECK: read { S0[i0, i1] -> M0_argument_2[o0] :
void signed_rest(int n, double *restrict a, double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] += a[N + (j - i) % 8];
}
