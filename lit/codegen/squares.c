// What reads along rows and writes along columns runs in squares that are transposed in registers; bytes are those of the
// program without the plugin, for all sizes around whole squares.
// RUN: env POLYTILE='dump=ast;only=turned_double' %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: env POLYTILE='dump=ast;only=quarter_float' %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=QUARTER
// RUN: env POLYTILE='dump=ast;only=added' %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ADDED
// RUN: env POLYTILE='dump=ast;only=both;min-work=0' %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: env POLYTILE='dump=ast;only=crossed;min-work=0' %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: env POLYTILE='dump=ast;only=shifted;min-work=0' %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SHIFTED
// RUN: %plainclang -O1 -DMAIN %s -o %t.old && %t.old > %t.old.txt
// RUN: env POLYTILE='verify=on;min-work=0' %clang -O3 -march=native -DMAIN %s -o %t.new && %t.new | cmp - %t.old.txt
// RUN: env POLYTILE='verify=on;min-work=0' %clang -O2 -DMAIN %s -o %t.new && %t.new | cmp - %t.old.txt
// RUN: env POLYTILE='verify=on;min-work=0;tile-sizes=16' %clang -O3 -march=native -DMAIN %s -o %t.new && %t.new | cmp - %t.old.txt
#include <stdio.h>
#define N 75

// AST: // squares of 8, vectors along
// AST-NEXT: for
// AST-NEXT: // vector
#define TURNED(T)                                                                    \
  void turned_##T(int n, int m, T (*restrict b)[N], T (*restrict a)[N]) {            \
    for (int i = 0; i < n; i++)                                                      \
      for (int j = 0; j < m; j++) b[j][i] = a[i][j];                                 \
  }                                                                                  \
  void taken_##T(int n, int m, T (*restrict b)[N], T (*restrict a)[N], T *restrict x) { \
    for (int i = 0; i < n; i++)                                                      \
      for (int j = 0; j < m; j++) b[i][j] = a[j][i] * (T)3 + x[j];                   \
  }                                                                                  \
  void quarter_##T(int n, int m, T (*restrict b)[N], T (*restrict a)[N]) {           \
    for (int i = 0; i < n; i++)                                                      \
      for (int j = 0; j < m; j++) b[j][n - 1 - i] = a[i][j];                         \
  }                                                                                  \
  void back_##T(int n, int m, T (*restrict b)[N], T (*restrict a)[N]) {              \
    for (int i = 0; i < n; i++)                                                      \
      for (int j = 0; j < m; j++) b[i][j] = a[m - 1 - j][i];                         \
  }
TURNED(double)
TURNED(float)
TURNED(int)
TURNED(short)
TURNED(char)

// A quarter turn: lines from their ends.
// QUARTER: // squares of 16

// Vectors have the direction of what is written: only one of three accesses is transposed.
// ADDED: // squares of 8
// ADDED: for (c[[OUTER:[0-9]]] = {{.*}}
// ADDED: S0(c{{[0-9]}}, c[[OUTER]])
void added(int n, double (*restrict b)[N], double (*restrict a)[N], double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[j][i] += a[i][j] * x[j];
}

// Two statements: the second one overwrites what the first one reads, in the same iteration.
// BOTH: // squares of 8
void both(int n, double (*restrict b)[N], double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      b[j][i] += a[i][j];
      a[i][j] += 1.0;
    }
}

// What another iteration has read is overwritten.
// CROSSED-NOT: squares
void crossed(int n, double (*restrict b)[N], double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      b[j][i] += a[i][j];
      a[j][i] += 1.0;
    }
}

// In place, elements are read that other instances write.
// SHIFTED-NOT: squares
void shifted(int n, double (*a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[j][i] = a[i][j] + 1;
}

#ifdef MAIN
#define FIELD(T) static T a_##T[N][N], b_##T[N][N], x_##T[N];
FIELD(double)
FIELD(float)
FIELD(int)
FIELD(short)
FIELD(char)
#define RUN(T)                                                                       \
  for (int n = 0; n <= N; n += n < 20 ? 1 : 11)                                      \
    for (int m = n & 1 ? 33 : 5; m <= N; m += 14) {                                  \
      for (int i = 0; i < N; i++)                                                    \
        for (int j = 0; j < N; j++)                                                  \
          a_##T[i][j] = (T)(i * 7 + j * 3), b_##T[i][j] = (T)(i - j), x_##T[j] = (T)j; \
      turned_##T(n, m, b_##T, a_##T);                                                \
      sum_##T();                                                                     \
      taken_##T(m, n, a_##T, b_##T, x_##T);                                          \
      sum_##T();                                                                     \
      quarter_##T(m, n, a_##T, b_##T);                                               \
      back_##T(n, m, b_##T, a_##T);                                                  \
      sum_##T();                                                                     \
    }
#define SUM(T)                                                                       \
  static void sum_##T(void) {                                                        \
    unsigned long h = 1;                                                             \
    for (int i = 0; i < N; i++)                                                      \
      for (int j = 0; j < N; j++)                                                    \
        h = h * 1000003 + (unsigned long)(long)(a_##T[i][j] * 5 + b_##T[i][j]);      \
    printf("%lx\n", h);                                                              \
  }
SUM(double)
SUM(float)
SUM(int)
SUM(short)
SUM(char)
int main(void) {
  RUN(double)
  RUN(float)
  RUN(int)
  RUN(short)
  RUN(char)
  for (int n = 0; n <= N; n++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) a_double[i][j] = i * 7 + j * 3, b_double[i][j] = i - j;
    added(n, b_double, a_double, x_double);
    sum_double();
    both(n, a_double, b_double);
    if (n < 9) shifted(n, a_double), crossed(n, a_double, b_double);
    sum_double();
  }
}
#endif
