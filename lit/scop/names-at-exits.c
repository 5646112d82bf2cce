// Two sizes share a register (a structure that a call returns). They are two numbers behind what was tried before as well, where the register has another
// name: the exit of a part of the function that was cut out has one.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -Rpass-missed=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -ffp-contract=off -fopenmp %s -o %t.new
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain 90 > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new 90 | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, cols;
  double **a;
} matrix;

static matrix make(int r, int c) {
  matrix m = {r, c, malloc(sizeof(double *) * r)};
  if (!m.a) {
    perror("malloc");
    exit(2);
  }
  for (int i = 0; i < r; i++) {
    m.a[i] = calloc(c, sizeof(double));
    if (!m.a[i]) {
      perror("calloc");
      exit(2);
    }
  }
  return m;
}

// CHECK-NOT: contradict
// CHECK: names-at-exits.c:[[@LINE+2]]:3: {{.*}}: loop nest transformed
static void copy(matrix *d, const matrix *s) {
  for (int i = 0; i < s->rows; i++)
    for (int j = 0; j < s->cols; j++)
      d->a[i][j] = s->a[i][j];
}
// CHECK-NOT: contradict

int main(int argc, char **argv) {
  int n = 600;
  if (argc > 1) {
    char *e;
    n = strtol(argv[1], &e, 10);
    if (*e || n < 2) {
      fprintf(stderr, "no number: %s\n", argv[1]);
      return 1;
    }
  }
  matrix a = make(n, n), l = make(n, n), one = make(n, n), x = make(n, n), p = make(n, n);
  int *order = malloc(sizeof(int) * n);
  double *d = malloc(sizeof(double) * n);
  unsigned s = 12345;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s = s * 1664525u + 1013904223u;
      a.a[i][j] = (double)(s >> 8) / (1 << 24) - 0.5;
    }
  copy(&l, &a);
  for (int i = 0; i < n; i++)
    order[i] = i * 7 % n;
  printf("%d %.17g %.17g\n", order[1], l.a[1][1], l.a[n - 1][n - 2]);
}
