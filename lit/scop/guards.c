// Pointers of C that may point nowhere: what is behind them is read only where the program reads it, however the loops run.
// RUN: %clang -O2 -g1 -Rpass-analysis=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | FileCheck --check-prefix=SUMS %s
// RUN: env "POLYTILE=min-work=0;tile-sizes=3;verify=on" %clang -O2 -DMAIN %s -o %t.small && %t.small | FileCheck --check-prefix=SUMS %s
// SUMS: 108 0 0 108

// The inner loop has a guard.
// CHECK: guards.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops;
void nest(int n, int m, int flag, double (*a)[m], double *b) {
  for (int i = 0; i < n; i++)
    if (flag > 3)
      for (int j = 0; j < m; j++)
        a[i][j] += b[j];
}

// An operand that only some iterations have.
// CHECK: guards.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]}} statements, 2 loops;
void operand(int n, int m, double (*restrict a)[100], double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += j > 3 ? *b : 1;
}

// A pointer that is loaded in front of the nest, perhaps null.
// CHECK: guards.c:[[@LINE+3]]:3: remark: static control part: 1 statement, 2 loops;
void loaded(int n, int m, double **p, double *restrict b) {
  double *a = *p;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i > 3)
        a[i * 100 + j] += b[0];
}

// The pointer itself is loaded under a guard in the nest: in front of it, the load might not be allowed.
// CHECK: guards.c:[[@LINE+5]]:3: remark: loop nest not transformed: a base pointer changes in the nest at {{.*}}guards.c:[[@LINE+9]]:
struct vectors {
  double *p;
};
void held(struct vectors *v, int n, int m, double (*restrict a)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] *= 2;
      if (i > 2)
        a[i][j] += v->p[j];
    }
}
#ifdef MAIN
#include <stdio.h>
static double x[100][100];
static double sum(int n, int m) {
  double s = 0;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      s += i < n && j < m ? x[i][j] : 1000 * x[i][j];
  return s;
}
int main(void) {
  double *none = 0;
  operand(27, 4, x, 0);
  printf("%g ", sum(27, 4));
  nest(27, 40, 3, 0, 0);
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      x[i][j] = 0;
  printf("%g ", sum(100, 100));
  loaded(4, 40, &none, 0);
  printf("%g ", sum(100, 100));
  held(0, 3, 40, x);
  operand(27, 4, x, 0);
  printf("%g\n", sum(27, 4));
}
#endif
