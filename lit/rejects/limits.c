// Nests that are too much for the model, or that it has no form for.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s

// A statement whose operand tree is too large.
// CHECK: limits.c:[[@LINE+2]]:3: remark: loop nest not transformed: a statement is too large
void large(int n, double (*restrict a)[100], double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
#define R(k) + b[i + k] * c[j + k] - c[i + 2 * k]
#define R8(k) R(k) R(k + 1) R(k + 2) R(k + 3) R(k + 4) R(k + 5) R(k + 6) R(k + 7)
#define R64(k) R8(k) R8(k + 8) R8(k + 16) R8(k + 24) R8(k + 32) R8(k + 40) R8(k + 48) R8(k + 56)
      a[i][j] += 1 R64(0) R64(64) R64(128) R64(192);
    }
}

// Conditions that cut the iterations into so many pieces that the set operations take too long: the quota ends them.
// CHECK: limits.c:[[@LINE+5]]:3: remark: loop nest not transformed: operation quota exceeded
// CHECK: limits.c:[[@LINE+5]]:5: remark: loop nest not transformed: operation quota exceeded
#define C(k) if ((i + k * j) % (k + 2) == t % 3 && (j - i) / (k + 3) < n - k) a[i + k][j] += b[j + k][i]; \
  else b[i][j + k] -= a[j][i + k];
void many_conditions(int n, int m, double (*restrict a)[1000], double (*restrict b)[1000]) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i + m; j++) {
        C(1) C(2) C(3) C(4) C(5) C(6)
      }
}

// What the model takes for granted (no wrapping) never holds: with j = 0, j - 10 wraps around.
// CHECK: limits.c:[[@LINE+2]]:3: remark: loop nest not transformed: the necessary assumptions contradict each other
void wraps(double (*restrict a)[100], double *restrict b) {
  for (int i = 0; i < 100; i++)
    for (unsigned j = 0; j < 100; j++)
      a[i][j] += b[j - 10];
}

// A loop that is left between two statements, and by some of the outer iterations only.
// CHECK: limits.c:[[@LINE+2]]:3: remark: loop nest not transformed: the number of iterations cannot be computed
void left_in_the_middle(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0;;) {
      a[i + j] += c[j] * c[j + 1] * c[j + 2] * c[j + 3] * c[j + 4] * c[j + 5] * c[j + 6] * c[j + 7] * c[j + 8];
      if (i < 10 && j >= n)
        break;
      b[i + j] = c[j] * 2;
      j++;
    }
}
// CHECK-NOT: remark
