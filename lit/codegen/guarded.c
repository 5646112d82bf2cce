// Sizes and pointers that a nest reads if a condition holds that does not change in it: they are read in front of it where the condition holds.
// Where it does not, nobody knows whether there is anything to read. A condition that changes says nothing.
// RUN: env POLYTILE='min-work=0;parallel-min-us=0' %clang -O2 -march=native -fopenmp -fno-strict-aliasing -Rpass=polytile -Rpass-missed=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -fno-strict-aliasing %s -o %t.plain
// RUN: env OMP_NUM_THREADS=2 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
#include <stdio.h>

typedef struct {
  long *data;
  long rows;
} matrix;

// CHECK: guarded.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void add(const matrix *to, const matrix *from, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to->data[i * to->rows + j] += from->data[i * from->rows + j] * 3;
}

// CHECK: guarded.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void twice(long *to, const matrix *from, int n, int m, int k, int both) {
  for (int i = 0; i < n; i++) {
    if (both)
      for (int j = 0; j < k; j++)
        to[i * 50 + j] += from->data[i * from->rows + j];
    for (int j = 0; j < m; j++)
      to[i * 50 + j] *= 2;
  }
}

// The second matrix is read from the third row on.
// CHECK-NOT: guarded.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void later(const matrix *to, const matrix *from, int n, int m) {
  for (int i = 0; i < n; i++)
    if (i > 2)
      for (int j = 0; j < m; j++)
        to->data[i * to->rows + j] += from->data[i * from->rows + j] * 3;
}

static long cells[2][50 * 50];

static void tell(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 50 * 50; i++)
    sum = sum * 31 + (unsigned long)cells[0][i] * 7 + (unsigned long)cells[1][i];
  printf("%lx\n", sum);
}

int main(void) {
  for (int i = 0; i < 50 * 50; i++) {
    cells[0][i] = i % 17;
    cells[1][i] = i % 13;
  }
  matrix a = {cells[0], 50}, b = {cells[1], 50};
  for (int n = 0; n <= 50; n += 25)
    for (int m = 0; m <= 50; m += 25) {
      add(&a, &b, n, m);
      twice(cells[0], &b, n, m, m, 1);
      later(&a, &b, n, m);
      tell();
    }
  // Nothing is there.
  add(0, 0, 0, 7);
  add(0, 0, 7, 0);
  twice(cells[0], 0, 20, 20, 20, 0);
  twice(cells[0], &b, 20, 0, 20, 1);
  twice(cells[0], 0, 20, 0, 0, 1);
  later(0, 0, 3, 20);
  later(0, 0, 20, 0);
  tell();
  // The operand's number of columns is written to while it is read. Where the array lies is no result.
  matrix *inside = (matrix *)&cells[0][49];
  *inside = b;
  add(&a, inside, 2, 40);
  inside->data = 0;
  tell();
}
