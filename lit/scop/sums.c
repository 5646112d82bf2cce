// Sums that the optimizer keeps in registers live in the cell that they are stored to after their loop: no scalar is left.
// RUN: %clang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -DMAIN %s -o %t.new && %plainclang -O1 -DMAIN %s -o %t.old
// RUN: env POLYTILE=min-work=0 %clang -O2 -DMAIN %s -o %t.forced
// RUN: %t.new > %t.new.txt && %t.old > %t.old.txt && cmp %t.new.txt %t.old.txt && %t.forced | cmp - %t.old.txt
#include <stdio.h>
#define N 61
#define FOR(i, first, end) for (int i = first; i < end; i++)

// The sum begins with the cell's content: nothing is left but the update.
// CHECK: scop "updates
// CHECK-NOT: array V
// CHECK: stmt S0
// CHECK: write { S0[i0, i1] -> [[Y:M[0-9]]]_argument_3[i0] }
// CHECK: read { S0[i0, i1] -> [[Y]]_argument_3[i0] }
// CHECK-NOT: stmt S1
void updates(int n, int m, double *restrict y, double (*restrict a)[N], double *restrict x) {
  FOR(i, 0, n) FOR(j, 0, m) y[i] += a[i][j] * x[j];
}

// Two sums in one loop.
// CHECK: scop "twice
// CHECK-NOT: array V
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_argument_{{[36]}}[i0] }
// CHECK: write { S1[i0, i1] -> M{{[0-9]}}_argument_{{[36]}}[i0] }
// CHECK-NOT: stmt S2
void twice(int n, int m, double *restrict y, double (*restrict a)[N], double *restrict x, double *restrict u) {
  FOR(i, 0, n) FOR(j, 0, m) { y[i] -= a[i][j] * x[j]; u[i] += a[i][j] * x[i]; }
}

// It begins with a constant, and goes through two loops.
// CHECK: scop "through
// CHECK-NOT: array V
// CHECK: write { S0[i0] -> [[Y:M[0-9]]]_argument_3[i0] }
// CHECK: write { S1[i0, i1, i2] -> [[Y]]_argument_3[i0] }
// CHECK-NOT: stmt S2
void through(int n, int m, double *restrict y, double (*restrict a)[N], double (*restrict b)[N]) {
  FOR(i, 0, n) {
    double sum = 1.5;
    FOR(j, 0, m) FOR(k, 0, m) sum += a[i][j] * b[k][j];
    y[i] = sum;
  }
}

// Rows without an element: the cell is written there as well.
// CHECK: scop "triangle
// CHECK-NOT: array V
// CHECK-COUNT-3: write { S{{.*}} -> [[Y:M[0-9]]]_argument_2[i0] }
void triangle(int n, double *restrict y, double (*restrict a)[N]) {
  FOR(i, 0, n) {
    double sum = 2.5;
    FOR(j, 0, i) sum += a[i][j];
    y[i] = sum;
  }
}

// The old content is read in between: the sum needs a place of its own.
// CHECK: scop "reads_old
// CHECK: array V
void reads_old(int n, int m, double *restrict y, double (*restrict a)[N]) {
  FOR(i, 1, n) {
    double sum = 0;
    FOR(j, 0, m) sum += a[i][j] * y[i];
    y[i] = sum;
  }
}

// Another row's cell is read in between, which is none of the sum's business.
// CHECK: scop "reads_others
// CHECK-NOT: array V
// CHECK: read { S{{.*}} -> M{{[0-9]}}_argument_3[i1] }
void reads_others(int n, int m, double *restrict y, double (*restrict a)[N]) {
  FOR(i, 1, n) {
    double sum = 0;
    FOR(j, 0, i) sum += a[i][j] * y[j];
    y[i] = sum;
  }
}

// A sum that begins in the cell and is changed on the way back, with a loop that runs no iteration for the first cell: as if the
// program had worked in place.
// CHECK: scop "solved
// CHECK: write { S0[i0, i1] -> [[Y:M[0-9]]]_argument_2[i0] }
// CHECK: write { S1[i0] -> [[Y]]_argument_2[i0] }
// CHECK-NOT: stmt S2
void solved(int n, double *restrict y, double (*restrict a)[N]) {
  FOR(i, 0, n) {
    double sum = y[i];
    FOR(j, 0, i) sum -= a[i][j] * y[j];
    y[i] = sum / a[i][i];
  }
}

// Its divisor is the cell's old content, which must stay until then.
// CHECK: scop "divided_by_old
// CHECK: array V
void divided_by_old(int n, double *restrict y, double (*restrict a)[N]) {
  FOR(i, 0, n) {
    double sum = y[i];
    FOR(j, 0, i) sum -= a[i][j] * y[j];
    y[i] = sum / y[i];
  }
}

// The last value goes to two cells, and into an expression.
// CHECK: scop "two_cells
void two_cells(int n, int m, double (*restrict c)[N], double (*restrict a)[N], double *restrict y) {
  FOR(i, 0, n) FOR(j, i, n) {
    double sum = 0;
    FOR(k, 0, m) sum += a[i][k] * a[j][k];
    c[i][j] = sum;
    c[j][i] = sum;
    y[i] += sum * 0.5;
  }
}

// A cell loaded before the loop and used in it.
// CHECK: scop "old_inside
void old_inside(int n, int m, double *restrict y, double (*restrict a)[N], double (*restrict c)[N]) {
  FOR(i, 0, n) {
    double old = y[i], sum = 0;
    FOR(j, 0, m) { sum += a[i][j]; c[i][j] = old + j; }
    y[i] = sum;
  }
}

#ifdef MAIN
static double a[N][N], b[N][N], c[N][N], y[N], x[N], u[N];
static void show(const char *name) {
  double h = 0;
  FOR(i, 0, N) { h = h * 0.97 + y[i] + 3 * u[i]; FOR(j, 0, N) h = h * 0.998 + c[i][j]; }
  printf("%s %a\n", name, h);
}
int main(void) {
  static const int sizes[] = {0, 1, 2, 17, 61};
  FOR(s, 0, 5) FOR(t, 0, 5) {
    int n = sizes[s], m = sizes[t];
    FOR(i, 0, N) { y[i] = i * 0.5 - 3; x[i] = 7 - i % 5; u[i] = i; FOR(j, 0, N) { a[i][j] = (i * 7 + j * 5) % 11 * 0.1 - 0.4; b[i][j] = i - j; c[i][j] = 0; } }
    updates(n, m, y, a, x), show("updates");
    twice(n, m, y, a, x, u), show("twice");
    through(n, m, y, a, b), show("through");
    triangle(n, y, a), show("triangle");
    reads_old(n, m, y, a), show("reads_old");
    reads_others(n, m, y, a), show("reads_others");
    FOR(i, 0, n) a[i][i] = 2 + i;
    solved(n, y, a), show("solved");
    divided_by_old(n, y, a), show("divided_by_old");
    two_cells(n, m, c, a, y), show("two_cells");
    old_inside(n, m, y, a, c), show("old_inside");
  }
}
#endif
