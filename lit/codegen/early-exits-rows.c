// Matrices behind tables of pointers that the program may leave early: rows that it does not come to, and the entries that point to them, need not be
// there. Each table and each row is asked for in front.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new -lm 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=native -fopenmp -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: clang-22 -O3 -march=native %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -mllvm -polytile-min-work=0 -mllvm -polytile-verify=on %s -o %t.forced -lm
// RUN: env OMP_NUM_THREADS=2 %t.forced > %t.out
// RUN: cmp %t.out %t.expected
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// IR: define {{.*}}@cholesky.polytile
// IR: call {{.*}}@polytile.intact.readable(
// IR: call {{.*}}@polytile.rows_apart(
// IR: call {{.*}}@polytile.intact.rows(

__attribute__((noinline)) int cholesky(double **a, int n) {
  // CHECK: early-exits-rows.c:[[@LINE+1]]:3: remark: loop nest transformed
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = a[i][j];
      for (int k = 0; k < j; k++)
        s -= a[i][k] * a[j][k];
      if (i == j) {
        if (s <= 0)
          return i + 1;
        a[i][i] = sqrt(s);
      } else
        a[i][j] = s / a[j][j];
    }
  return 0;
}

__attribute__((noinline)) int lu(double **a, int n) {
  // CHECK: early-exits-rows.c:[[@LINE+1]]:3: remark: loop nest transformed
  for (int k = 0; k < n; k++) {
    if (fabs(a[k][k]) < 1e-12)
      return k + 1;
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
  return 0;
}

// By columns, into another matrix: the first column has no sums, and is a peeled iteration of which only one number is left.
__attribute__((noinline)) int columns(double **a, double **l, int n) {
  // CHECK: early-exits-rows.c:[[@LINE+1]]:3: remark: loop nest transformed: {{.*}} 1 register tile
  for (int j = 0; j < n; j++) {
    double s = a[j][j];
    for (int k = 0; k < j; k++)
      s -= l[j][k] * l[j][k];
    if (s <= 0)
      return j + 1;
    double d = sqrt(s);
    l[j][j] = d;
    for (int i = j + 1; i < n; i++) {
      double t = a[i][j];
      for (int k = 0; k < j; k++)
        t -= l[i][k] * l[j][k];
      l[i][j] = t / d;
    }
  }
  return 0;
}

enum { PAGE = 4096 };

// Memory that ends where memory ends.
static void *at_end(size_t bytes) {
  size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
  char *memory = mmap(0, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + pages, PAGE, PROT_NONE))
    exit(1);
  return memory + pages - bytes;
}

// What a table and its rows are like behind the row at which the program leaves.
enum { WHOLE, NO_ENTRIES, NO_POINTERS, NO_ROWS, SHORT_ROWS, FORMS };

static double **matrix(int n, int bad, int form) {
  int there = bad < n ? bad + 1 : n;
  double **a = at_end(sizeof *a * (form == NO_ENTRIES ? there : n));
  for (int i = 0; i < n; i++) {
    if (i >= there && (form == NO_ENTRIES || form == NO_POINTERS || form == NO_ROWS)) {
      if (form != NO_ENTRIES)
        a[i] = form == NO_POINTERS ? (double *)(0x123456789abcdef0u + i) : (double *)((char *)at_end(8) + 8);
      continue;
    }
    // A row of a triangle need not be longer than the program reads it.
    int columns = form == SHORT_ROWS && i < there ? i + 1 : n;
    a[i] = at_end(8 * columns);
    for (int j = 0; j < columns; j++)
      a[i][j] = i != j ? 1.0 / (1 + abs(i - j)) : i == bad ? 0 : n;
    for (int j = 0; j < columns && i == bad; j++)
      a[i][j] = 0;
  }
  return a;
}

static void print(const char *name, double **a, int n, int bad, int form, int result) {
  int there = bad < n && form != WHOLE ? bad + 1 : n;
  double sum = 0;
  for (int i = 0; i < there; i++)
    for (int j = 0; j <= i; j++)
      sum += a[i][j] * (1 + (i * 7 + j) % 31);
  printf("%s %d %d %d: %d %.17g\n", name, n, bad, form, result, sum);
}

static void run(int n, int bad, int form) {
  double **a = matrix(n, bad, form);
  print("cholesky", a, n, bad, form, cholesky(a, n));
  if (form == WHOLE) {
    double **b = matrix(n, bad, form), **l = matrix(n, n, form);
    print("lu", b, n, bad, form, lu(b, n));
    b = matrix(n, bad, form);
    print("columns", l, n, bad, form, columns(b, l, n));
  }
}

// Each in a process of its own, which has not failed before.
int main(void) {
  for (int n = 1; n <= 200; n = n < 5 ? n + 1 : n * 3)
    for (int at = 0; at < 3; at++)
      for (int form = 0; form < FORMS; form++) {
        int status = 0;
        fflush(stdout);
        if (!fork()) {
          run(n, at == 0 ? n : at == 1 ? n / 2 : n - 1, form);
          exit(0);
        }
        if (wait(&status) < 0 || status)
          exit(1);
      }
}
