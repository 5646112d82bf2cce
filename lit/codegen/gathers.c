// Reads whose subscripts are data: of memory that nothing in the nest writes. The load is an operation on its address; the version check
// looks at what a table may be read of, where nothing else says that it is apart. Inner loops whose bounds are data are operations, too.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=only=look_up;dump=scop;stop-after=scop" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: env "POLYTILE=min-work=0;only=product" %clang -O3 -fopenmp -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected

// CHECK: gathers.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void permuted(int n, const double *restrict x, const int *restrict p, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[p[i]];
}

// The index has 256 values: that many bytes must not be written.
// SCOP: array H{{[0-9]+}} x2048 memory
// SCOP: read { S0[i0] -> [[IN:M[0-9]+_[a-z0-9_]+]][i0]
// SCOP-NOT: read {
// SCOP: op v{{[0-9]+}} other "getelementptr"
// SCOP-NEXT: i8 op v{{[0-9]+}} gather
// CHECK: gathers.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop; at run time: {{.*}} 2 pairs of arrays apart
__attribute__((noinline)) void look_up(int n, const unsigned char *in, unsigned char *out, const unsigned char *table) {
  for (int i = 0; i < n; i++)
    out[i] = table[in[i]];
}

// CHECK: gathers.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void nodes(int n, const int (*restrict node)[4], const double *restrict c, double (*restrict e)[2]) {
  for (int i = 0; i < n; i++) {
    e[i][0] = c[node[i][0]] + c[node[i][1]];
    e[i][1] = c[node[i][2]] * c[node[i][3]];
  }
}

// Each row on one thread, in its order; the body of the inner loop is back in its place.
// CHECK: gathers.c:[[@LINE+7]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
// IR-NOT: polytile.row
// IR: define internal void @product.polytile.team
// IR: load double, {{.*}} !noalias
// IR: fmuladd
// IR-NOT: polytile.row
__attribute__((noinline)) void product(int n, const int *restrict row, const int *restrict col, const double *restrict val, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// Rows behind pointers: integers are not written as doubles are, and the vectors are apart.
struct rows {
  int n, *length, **column;
};
// CHECK: gathers.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void sums(const struct rows *a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < a->n; i++) {
    const int *column = a->column[i];
    double s = y[i];
    for (int k = 0; k < a->length[i]; k++)
      s += x[column[k]];
    y[i] = s;
  }
}

// What the first nest of a step gathers the second one writes: each is transformed by itself.
// CHECK: gathers.c:[[@LINE+5]]:5: remark: loop nest transformed
// CHECK: gathers.c:[[@LINE+10]]:5: remark: loop nest transformed
static double p0[1000], q0[1000];
__attribute__((noinline)) void steps(int n, int steps, const int *row, const int *col, const double *val) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
        s += val[k] * p0[col[k]];
      q0[i] = s;
    }
    for (int i = 0; i < n; i++)
      p0[i] = q0[i] * 0.5 + p0[i];
  }
}

// The program may write what it gathers from: the order stays.
__attribute__((noinline)) void in_place(int n, const int *restrict p, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = x[p[i]] * 0.5;
}
// CHECK: gathers.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}addresses compared with 1 array
__attribute__((noinline)) void maybe_in_place(int n, const int *p, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i + j] += x[p[j]] * 0.5;
}
// CHECK: gathers.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop; at run time: {{.*}}addresses compared
__attribute__((noinline)) void rows_in_place(int n, const int *row, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += x[k];
    y[i] = s;
  }
}

#ifdef MAIN
#include <stdio.h>
enum { N = 1000 };
static double x[N], y[4 * N], e[N][2];
static int p[N], row[N + 1], col[4 * N], node[N][4], length[N], *column[N];
static double val[4 * N];
static unsigned char bytes[4096];
int main(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i * 0.25, p[i] = i * 7 % N, row[i] = i % 3 == 0 ? 3 * i : 3 * i + 1;
    length[i] = i % 5 - 1, column[i] = col + 3 * i;
    for (int k = 0; k < 4; k++)
      col[4 * i + k] = (i * 13 + k * 5) % N, val[4 * i + k] = 1.0 / (i + k + 1), node[i][k] = (i + 17 * k) % N;
  }
  row[N] = 3 * N;
  for (int n = 0; n <= N; n = n < 8 ? n + 1 : n * 2 - 3) {
    for (int i = 0; i < 4096; i++)
      bytes[i] = i * i / 3;
    permuted(n, x, p, y), fwrite(y, sizeof y, 1, stdout);
    nodes(n, node, x, e), fwrite(e, sizeof e, 1, stdout);
    product(n, row, col, val, x, y), fwrite(y, sizeof y, 1, stdout);
    sums(&(struct rows){n, length, column}, x, y), fwrite(y, sizeof y, 1, stdout);
    in_place(n, p, y), maybe_in_place(n / 3, p, y, y), rows_in_place(n, row, x, y), fwrite(y, sizeof y, 1, stdout);
    look_up(n, bytes + 1000, bytes + 2000, bytes), fwrite(bytes, sizeof bytes, 1, stdout);
    for (int i = 0; i < N; i++)
      p0[i] = i;
    steps(n, 3, row, col, val), fwrite(p0, sizeof p0, 1, stdout);
    // What is written begins in the table, behind it, and in front of it; the text is written over itself.
    look_up(n, bytes + 1000, bytes + 255, bytes), fwrite(bytes, sizeof bytes, 1, stdout);
    look_up(n, bytes + 2000, bytes + 256, bytes), fwrite(bytes, sizeof bytes, 1, stdout);
    look_up(n, bytes + 2000, bytes, bytes + n), fwrite(bytes, sizeof bytes, 1, stdout);
    look_up(n, bytes + 2000, bytes + 1, bytes + n), fwrite(bytes, sizeof bytes, 1, stdout);
    look_up(n, bytes + 2000, bytes + 2000, bytes + 7), fwrite(bytes, sizeof bytes, 1, stdout);
  }
}
#endif
