// Reads whose subscripts are data, of arrays that are apart in fact but not by declaration: an inspector computes the addresses in front of
// the new version, on all threads, and the original runs where one of them is written. It reads only what the original would read. Which version is
// faster depends on the lengths of rows: the program measures.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=only=product;dump=scop;stop-after=scop" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: env "POLYTILE=min-work=0;only=product" %clang -O3 -fopenmp -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: env "POLYTILE=only=product" %clang -O3 -fopenmp -S -emit-llvm -o - %s | FileCheck --check-prefix=MEASURED %s
// RUN: env "POLYTILE=parallel=off;only=product" %clang -O3 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected

// CHECK: inspected.c:[[@LINE+13]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop; at run time: {{.*}}addresses compared with 1 array
// ALONE: inspected.c:[[@LINE+12]]:3: remark: loop nest not transformed: no gain expected
// MEASURED: call i64 @polytile.select.begin(
// SCOP: inspected v{{[0-9]+}} with {{.*}} end
// The inspector reads rows and columns, and no value; the ends of rows of values are compared in front of their loop.
// IR-LABEL: define internal i64 @product.inspect(
// IR-NOT: load double
// IR-NOT: store
// IR: ret i64
// IR: define internal {{.*}} @product.polytile
// IR: call {{.*}} @polytile.inspect(
__attribute__((noinline)) void product(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  // In this order: rows, columns.
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// Counters of other widths.
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void wide(unsigned long n, const unsigned long *row, const unsigned *col, const float *val, const float *x, float *y) {
  for (unsigned long i = 0; i < n; i++) {
    float s = 0;
    for (unsigned long k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k] - 1];
    y[i] = s;
  }
}

// Integers that may be written over rows and columns: each is compared before it is read.
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void counts(int n, const int *row, const int *col, const int *near, const int *far, int *y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += near[col[k]] / (far[col[k]] + 5) + far[near[col[k]] & 7] / 3;
    y[i] = s & 255;
  }
}

// Rows behind pointers, as many programs store them.
struct rows {
  int n, *length, **column;
  double **value;
};
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void listed(const struct rows *a, const double *x, double *y) {
  for (int i = 0; i < a->n; i++) {
    const int *column = a->column[i];
    const double *value = a->value[i];
    double s = 0.0;
    for (int k = 0; k < a->length[i]; k++)
      s += value[k] * x[column[k]];
    y[i] = s;
  }
}

// The arrays are members.
struct matrix {
  int n, *row, *col;
  double *val;
};
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void member(const struct matrix *m, const double *x, double *y) {
  for (int i = 0; i < m->n; i++) {
    double s = 0;
    for (int k = m->row[i]; k < m->row[i + 1]; k++)
      s += m->val[k] * x[m->col[k]];
    y[i] = s;
  }
}

// Two sums of one row.
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void forces(int n, const int *count, const int *near, const double *px, const double *py, double *fx, double *fy) {
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0;
    for (int k = 0; k < count[i]; k++) {
      int j = near[8 * i + k];
      double dx = px[i] - px[j], dy = py[i] - py[j], f = 1 / (dx * dx + dy * dy + 1e-3);
      ax += f * dx, ay += f * dy;
    }
    fx[i] = ax, fy[i] = ay;
  }
}

// Rows of one length, and a value that is bounded by branches that no address depends on.
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void diffused(int n, const int *up, const int *left, const float *j, float *d, float *c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      float own = j[i * n + k], du = j[up[i] * n + k] - own, dl = j[i * n + left[k]] - own;
      float q = 1 / (1 + (du * du + dl * dl) / own);
      d[i * n + k] = du / (dl * dl + 1);
      if (q < 0.25f)
        q = 0.25f;
      else if (q > 0.75f)
        q = 0.75f;
      c[i * n + k] = q;
    }
}

// Sweeps, each of which writes the vector that the next one reads: the product in it is a nest by itself.
// CHECK: inspected.c:[[@LINE+3]]:5: remark: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void sweeps(int n, int times, const int *row, const int *col, const double *val, double *x, double *y) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
        s += val[k] * x[col[k]];
      y[i] = s;
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i] * 0.75 + 1;
  }
}

// What is written decides what is read.
// CHECK: inspected.c:[[@LINE+2]]:3: remark: loop nest not transformed: a loop bound depends on data
__attribute__((noinline)) void filled(int n, int *row, const int *col, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += x[col[k]] / (k + 1);
    row[i + 2] = row[i + 1] + i % 3;
    y[i] = s;
  }
}

#ifdef MAIN
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 500, PAGE = 1 << 16 };
static double x[4 * N], y[4 * N], val[4 * N];
static float wx[4 * N], wy[4 * N], wv[4 * N], image[N * N + N];
static int row[N + 3], col[4 * N], ints[8 * N], *column[N], length[N];
static unsigned long wrow[N + 1];
static double *value[N];

static void fill(void) {
  for (int i = 0; i < 4 * N; i++) {
    x[i] = i * 0.25 - 7, y[i] = -i, val[i] = 1.0 / (i + 1), wx[i] = i, wy[i] = -i, wv[i] = i % 13 * 0.5f;
    col[i] = (i * 13 + i / 4) % N, ints[i] = i * 37 % N, ints[4 * N + i] = i % 9;
  }
  for (int i = 0; i < N; i++) {
    // Some rows are empty, some have a negative length, and some share elements.
    row[i] = i % 7 == 0 ? 3 * i + 2 : i % 11 == 0 ? 3 * i - 3 * (i > 0) : 3 * i;
    wrow[i] = row[i], length[i] = i % 5 - 1, column[i] = col + 3 * i, value[i] = val + (3 * N - 3 * i);
  }
  row[N] = wrow[N] = 3 * N;
  for (int i = 0; i < N * N + N; i++)
    image[i] = 1 + i % 17;
}
static void show(void) {
  fwrite(x, sizeof x, 1, stdout), fwrite(y, sizeof y, 1, stdout), fwrite(val, sizeof val, 1, stdout), fwrite(wx, sizeof wx, 1, stdout);
  fwrite(wy, sizeof wy, 1, stdout), fwrite(row, sizeof row, 1, stdout), fwrite(col, sizeof col, 1, stdout);
  fwrite(ints, sizeof ints, 1, stdout), fwrite(image, sizeof image, 1, stdout), fill();
}

static void two(int n, double *fx, double *fy) { forces(n, length, ints, x, x + N, fx, fy), show(); }
static void row_counts(int n, int *y) { counts(n, row, col, ints, ints + 4 * N, y), show(); }
static void of_member(int n, double *y) {
  struct matrix m = {n, row, col, val};
  member(&m, x, y), show();
}
static void of_list(int n, double *y) {
  struct rows a = {n, length, column, value};
  listed(&a, x, y), show();
}
static void widely(int n, float *y) {
  for (int i = 0; i < 4 * N; i++)
    col[i]++;
  wide(n, wrow, (unsigned *)col, wv, wx, y), show();
}
static void pages(int n) {
  // Columns end where memory does, and a row that is overwritten first says where the next ones are.
  char *all = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(all, PAGE), munmap(all + 2 * PAGE, PAGE);
  int *end = (int *)(all + 2 * PAGE) - 4 * N, *table = end + 4 * N - 8;
  memcpy(end, col, sizeof col);
  for (int i = 0; i <= n; i++)
    row[i] = 4 * N - 4 * (n - i);
  product(n, row, end, val, x, y), show();
  memset(table, 0, 8 * sizeof *table);
  int rows[] = {0, 2, 1 << 28, 1 << 28, 1 << 28};
  counts(n < 3 ? n : 3, rows, table, table, table, rows + 2), printf("%d %d %d %d\n", rows[1], rows[2], rows[3], rows[4]);
}

static int run(int which, int n) {
  static float d[N * N], c[N * N];
  switch (which) {
  case 0: product(n, row, col, val, x, y), show(); break;
  // What is written is the vector, lies in it, meets its last element, or the first one, or values of the last row, or none.
  case 1: product(n, row, col, val, x, x), show(); break;
  case 2: product(n, row, col, val, x, x + 1), show(); break;
  case 3: product(n, row, col, val, x, x + N - 1), show(); break;
  case 4: product(n, row, col, val, x + N, (double *)((char *)(x + N) - 8 * n + 4)), show(); break;
  case 5: product(n, row, col, val, x, val + 3 * n - 1), show(); break;
  case 6: product(n, row, col, val, x, val + 3 * n + 3), show(); break;
  case 7: product(n, row, col, val, x, val), show(); break;
  case 8: widely(n, wy); break;
  case 9: widely(n, wx + n / 2); break;
  case 10: row_counts(n, ints + 5 * N); break;
  // Columns and rows that are written before they are read.
  case 11: row_counts(n, col + 3); break;
  case 12: row_counts(n, row + 1); break;
  case 13: row_counts(n, ints + 4 * N + 3); break;
  case 14: row_counts(n, ints + N - 1); break;
  case 15: of_list(n, y); break;
  case 16: of_list(n, x + 3); break;
  case 17: of_list(n, val + 5); break;
  case 18: of_member(n, y); break;
  case 19: of_member(n, x + 2); break;
  case 20: of_member(n, val + n); break;
  case 21: two(n, y, y + N); break;
  case 22: two(n, y, x + N / 2); break;
  case 23: two(n, x + 2 * N, x); break;
  case 24: diffused(n, col, ints, image, d, c), fwrite(d, sizeof d, 1, stdout), fwrite(c, sizeof c, 1, stdout); break;
  case 25: diffused(n, col, ints, image, d, image + N), show(); break;
  case 26: diffused(n, col, ints, image, image, c), show(); break;
  case 27: filled(n > 1 ? n - 1 : 0, row, col, x, y), show(); break;
  case 28: pages(n); break;
  case 29: sweeps(n, 3, row, col, val, x, y), show(); break;
  case 30: sweeps(n, 3, row, col, val, x, x + N - 1), show(); break;
  case 31: sweeps(n, 3, row, col, val, x, val + n), show(); break;
  default: return 0;
  }
  return 1;
}

// A process each, so that none of them is spared because the one before met what it writes.
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 17, 100, N};
  for (int which = 0, more = 1; more; which++)
    for (int s = 0; s < 7; s++) {
      fflush(stdout);
      if (fork() == 0) {
        fill();
        const int known = run(which, sizes[s]);
        fflush(stdout);
        _exit(known);
      }
      int status;
      wait(&status);
      more = WIFEXITED(status) && WEXITSTATUS(status);
      printf("%d %d %d\n", which, sizes[s], status);
    }
}
#endif
