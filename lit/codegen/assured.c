// Checks on structures of matrices: what the first iteration reads if the checks hold is read in front, where nothing is read if they do not. Where they
// fail the original runs, and ends at the same state.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=run' %clang -O3 -march=native -fopenmp %s -o %t.both
// RUN: env OMP_NUM_THREADS=2 %t.both | cmp - %t.expected
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
__attribute__((noreturn, noinline)) static void failed(int line) {
  printf("line %d\n", line);
  longjmp(back, 1);
}
#define check(c) ((c) ? (void)0 : failed(__LINE__))

struct matrix {
  int rows, columns;
  double *data;
};

static inline double get(const struct matrix *m, int i, int j) {
  check(i >= 0 && i < m->rows && j >= 0 && j < m->columns);
  return m->data[i * m->columns + j];
}

static inline void set(struct matrix *m, int i, int j, double v) {
  check(i >= 0 && i < m->rows && j >= 0 && j < m->columns);
  m->data[i * m->columns + j] = v;
}

// CHECK-DAG: assured.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
__attribute__((noinline)) void product(const struct matrix *a, const struct matrix *b, struct matrix *c) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++) {
      double s = 0;
      for (int k = 0; k < a->columns; k++)
        s += get(a, i, k) * get(b, k, j);
      set(c, i, j, s);
    }
}

// CHECK-DAG: assured.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void smooth(const struct matrix *a, struct matrix *b) {
  for (int i = 1; i < a->rows - 1; i++)
    for (int j = 1; j < a->columns - 1; j++)
      set(b, i, j, .25 * (get(a, i - 1, j) + get(a, i + 1, j) + get(a, i, j - 1) + get(a, i, j + 1)));
}

// The first check may end the program in front of what each iteration reads.
__attribute__((noinline)) void shifted(int n, const struct matrix *a, const struct matrix *b, struct matrix *c) {
  if (n < 2)
    return;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      set(c, i, j, .5 * get(a, i, j - 1) + get(b, i, j));
}

static double a[60], b[60], c[60];

static void run(int what, struct matrix *x, struct matrix *y, struct matrix *z) {
  for (int i = 0; i < 60; i++)
    a[i] = i % 7, b[i] = i % 5, c[i] = -1;
  if (!setjmp(back)) {
    if (what == 0)
      product(x, y, z);
    else if (what == 1)
      smooth(x, z);
    else
      shifted(5, x, y, z);
  }
  double s = 0;
  for (int i = 0; i < 60; i++)
    s += (i + 1) * c[i];
  printf("%g\n", s);
}

int main(void) {
  struct matrix x = {6, 7, a}, y = {7, 5, b}, z = {6, 5, c};
  struct matrix flat = {6, 0, 0}, none = {0, 7, 0}, narrow = {6, 4, c}, low = {5, 5, c}, few = {6, 5, b}, no = {0, 0, 0};
  run(0, &x, &y, &z);
  run(0, &flat, &y, &z);      // no sums
  run(0, &none, &y, 0);       // no rows: nobody looks at the result
  run(0, &none, 0, 0);
  run(0, &x, &flat, 0);       // no columns
  run(0, &x, &y, &narrow);    // the check of the result fails at its last column
  run(0, &x, &y, &low);       // and in its last row
  run(0, &x, &few, &z);       // an operand has too few rows
  run(0, &x, &y, &no);
  run(0, &x, &no, 0);
  struct matrix u = {6, 5, a}, v = {6, 5, c}, w = {2, 9, 0};
  run(1, &u, 0, &v);
  run(1, &w, 0, 0);
  run(1, &u, 0, &low);
  run(1, &u, 0, &narrow);
  run(1, &u, 0, &no);
  run(2, &u, &u, &v);
  run(2, &none, &u, 0);
  run(2, &u, &none, 0);
  run(2, &u, &u, &low);
  return 0;
}
