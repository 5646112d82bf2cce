// Rows behind pointers that lie anywhere are found by their pointers, if they share no byte that is written; else the original runs. Not a
// byte beside them is touched, and no entry behind a table's last one.
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=3 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.usual
// RUN: env OMP_NUM_THREADS=2 %t.usual > %t.usual.out
// RUN: cmp %t.usual.out %t.plain.out
// What needs memory of its own to be known is not asked without rights to some.
// RUN: %clang -O3 -march=native -ffreestanding -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: polytile.rows_apart
// RUN: env POLYTILE='min-work=0' %clang -O3 -march=native -fopenmp %s -DONLY_APART -o %t.told
// The new versions run.
// RAN: new version
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t.told 2>&1 >/dev/null | FileCheck %s --check-prefix=RAN --implicit-check-not="new version 0"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define OWN __attribute__((noinline))
typedef double **matrix;

// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void product(matrix a, matrix b, matrix c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void factor(matrix a, matrix b, matrix c, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k] + 5;
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

// Of the lower triangle only, the rows of which end at a page that nobody may touch.
// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void triangle(matrix a, matrix b, matrix c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++)
        c[i][j] += a[i][k] * b[j][k];
}

// Not the first column, and not the first row; with an array that is no matrix.
// CHECK-DAG: scattered-rows.c:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}}
OWN void inner(matrix a, matrix b, matrix c, int n) {
  double *x = b[0];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      for (int k = 1; k < n; k++)
        c[i][j] += a[i][k] * x[k];
}

// A diagonal and what is right of it.
// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void upper(matrix a, matrix b, matrix c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = i; k <= j; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// A hole in each row.
// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void hole(matrix a, matrix b, matrix c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j != 5)
        for (int k = 0; k < n; k++)
          c[i][j] += a[i][k] * b[k][j];
}

// In place, of the lower triangle.
// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void cholesky(matrix a, matrix b, matrix c, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] += 3;
  }
}

// One pass over all.
// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void sweep(matrix a, matrix b, matrix c, int n) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      c[i][j] = .2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
}

// Sums along the rows and down the columns, and rows that become columns.
// CHECK-DAG: scattered-rows.c:[[@LINE+4]]:3: remark: loop nest transformed: {{.*}}
OWN void sums(matrix a, matrix b, matrix c, int n) {
  if (n < 2)
    return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[0][i] += a[i][j] * b[0][j];
      c[1][j] += a[i][j] * b[1][i];
    }
}

// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void turned(matrix a, matrix b, matrix c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = a[j][i] + b[i][j];
}

// Each element waits for those above and in front.
// CHECK-DAG: scattered-rows.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void path(matrix a, matrix b, matrix c, int n) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      double x = c[i - 1][j] < c[i][j - 1] ? c[i - 1][j] : c[i][j - 1];
      c[i][j] = a[i][j] + (c[i - 1][j - 1] < x ? c[i - 1][j - 1] : x);
    }
}

typedef void nest(matrix, matrix, matrix, int);
static nest *const nests[] = {product, factor, triangle, inner, upper, hole, cholesky, sweep, sums, turned, path};

// Rows that end at a page that nobody may touch, in this order.
static matrix rows(int n, int factor, int seed) {
  matrix m = malloc((n + 1) * sizeof *m);
  for (int i = 0; i < n; i++) {
    const int at = factor ? (i * factor + seed) % n : i;
    const size_t bytes = ((n * sizeof(double) + 4095) & -4096ul);
    char *page = mmap(0, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + bytes, 4096, PROT_NONE);
    m[at] = (double *)(page + bytes) - n;
  }
  return m;
}

static void fill(matrix m, int n, int seed) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = (i * 7 + j * 3 + seed) % 11 - 4.5;
}

static unsigned long hash(unsigned long h, matrix m, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unsigned long bits;
      memcpy(&bits, &m[i][j], sizeof bits);
      h = (h ^ bits) * 0x9e3779b97f4a7c15 + (h >> 29);
    }
  return h;
}

static void run(int n, matrix a, matrix b, matrix c, const char *what) {
  for (unsigned f = 0; f < sizeof nests / sizeof *nests; f++) {
    fill(a, n, 1), fill(b, n, 2), fill(c, n, 3);
    nests[f](a, b, c, n);
    printf("%s %u %d %lx\n", what, f, n, hash(hash(hash(f, a, n), b, n), c, n));
  }
}

// Rows of a triangle, each with nothing behind its last element: `hash` and `fill` would read it.
static void ends(int n) {
  matrix a = rows(n, 5, 2), b = rows(n, 3 * (n % 3 != 0), 1), c = rows(n, 5, 0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i - j * .5, b[i][j] = i * .25 + j, c[i][j] = j;
  for (int i = 0; i < n; i++)
    a[i] += n - 1 - i, b[i] += n - 1 - i, c[i] += n - 1 - i;
  triangle(a, b, c, n);
  cholesky(a, b, c, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      sum += c[i][j] + a[i][j] * (j + 1);
  printf("ends %d %a\n", n, sum);
}

int main(void) {
  const int sizes[] = {1, 2, 3, 7, 31, 101, 131};
  for (int s = 0; s < 7; s++) {
    const int n = sizes[s];
    ends(n);
    matrix a = rows(n, 5, 2), b = rows(n, n == 1 ? 1 : n - 1, 0), c = rows(n, 3 * (n % 3 != 0), 1);
    run(n, a, b, c, "apart");
#ifdef ONLY_APART
    continue;
#endif
    run(n, c, b, a, "turned");
    run(n, a, a, c, "one twice");
    run(n, a, b, a, "in place");
    if (n > 6) {
      double *kept = c[n - 2];
      c[n - 2] = c[1];
      run(n, a, b, c, "a row twice");
      c[n - 2] = c[1] + (n > 100);
      if (n < 100)
        c[n - 2] = a[3];
      run(n - 1, a, b, c, "rows that overlap");
      c[n - 2] = kept;
      kept = a[n - 1], a[n - 1] = a[0];
      run(n, a, b, c, "a row read twice");
      a[n - 1] = kept;
    }
  }
}
