// Inner loops with bounds of data that keep their sums in memory, because what they read may be there: the new version keeps them in registers, and the rows run on
// threads. What the program would not write stays unwritten, and where what is read is written after all, the original runs.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;only=sums" %clang -O3 -fno-unroll-loops -fopenmp -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected

// The original stores in its inner loop as before, and nothing around it.
// IR-LABEL: define {{.*}}@sums(
// IR: store double 0.000000e+00
// IR-NOT: store
// IR: call double @llvm.fmuladd
// IR-NEXT: store double
// IR-NOT: store
// IR: {{^}}}
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 parallel loop; at run time: {{.*}}addresses compared
__attribute__((noinline)) void sums(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += val[k] * x[col[k]];
  }
}

// Rows without elements write nothing.
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 parallel loop; at run time: {{.*}}addresses compared
__attribute__((noinline)) void added(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += val[k] * x[col[k]];
}

// Elements that count only under a condition: the cell was written in front of them.
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 parallel loop; at run time: {{.*}}addresses compared
__attribute__((noinline)) void near(int n, double cut, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = val[i] - 1;
    for (int k = row[i]; k < row[i + 1]; k++) {
      double d = x[i] - x[col[k]];
      if (d * d < cut)
        y[i] += d / (d * d + 1);
    }
  }
}

// The cell may be one that is never written.
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest not transformed: a loop bound depends on data
__attribute__((noinline)) void seldom(int n, double cut, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      if (x[col[k]] > cut)
        y[i] += val[k];
}

// Blocks of three rows.
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 parallel loop; at run time: {{.*}}addresses compared
__attribute__((noinline)) void blocks(int n, const int *row, const int *col, const double *val, const double *x, const double *b, double *r) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++)
      r[3 * i + a] = b[3 * i + a];
    for (int k = row[i]; k < row[i + 1]; k++)
      for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++)
          r[3 * i + a] -= val[3 * a + c + k] * x[3 * col[k] + c];
  }
}

// Several vectors, whose row is cleared in one go.
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest transformed: 2 statements, {{.*}}parallel loop{{.*}}; at run time: {{.*}}addresses compared
__attribute__((noinline)) void several(int n, const int *row, const int *col, const float *val, const float (*x)[8], float (*y)[8]) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 8; a++)
      y[i][a] = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      for (int a = 0; a < 8; a++)
        y[i][a] += val[k] * x[col[k]][a];
  }
}

// Cells of two arrays, which may be one.
// CHECK: rows-in-memory.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 1 parallel loop; at run time: {{.*}}addresses compared
__attribute__((noinline)) void both(int n, const int *row, const int *col, const double *val, const double *x, double *y, double *z) {
  for (int i = 0; i < n; i++) {
    y[i] = 1, z[i] = 2;
    for (int k = row[i]; k < row[i + 1]; k++) {
      y[i] += val[k] * x[col[k]];
      z[i] = z[i] * 0.5 + val[k];
    }
  }
}

#ifdef MAIN
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 300 };
static double x[4 * N], y[4 * N], z[N], val[4 * N + 16];
static float wx[N][8], wy[N][8], wv[4 * N];
static int row[N + 1], col[4 * N];

static void fill(void) {
  for (int i = 0; i < 4 * N; i++) {
    x[i] = i * 0.25 - 7, y[i] = -i, val[i] = 1.0 / (i + 1), wv[i] = i % 13 * 0.5f, col[i] = (i * 13 + i / 4) % N;
    wx[i / 4][i % 4] = i % 7, wx[i / 4][4 + i % 4] = i % 9, wy[i / 4][i % 8] = -i;
  }
  // Some rows are empty, some have a negative length, and some share elements.
  for (int i = 0; i <= N; i++)
    row[i] = i == N ? 3 * N : i % 7 == 0 ? 3 * i + 2 : i % 11 == 0 ? 3 * i - 3 * (i > 0) : 3 * i;
}

static int run(int which, int n) {
  double *page;
  switch (which) {
  case 0: sums(n, row, col, val, x, y); break;
  // What is written is read: the vector, its last element, or values.
  case 1: sums(n, row, col, val, x, x); break;
  case 2: sums(n, row, col, val, x, x + N - 1); break;
  case 3: sums(n, row, col, val, x, val); break;
  case 4: sums(n, row, col, val, x, val + 3 * n - 1); break;
  case 5: sums(n, row, col, val, x, val + 2); break;
  case 6: sums(n, row, col, x + N, x, x + 2 * N); break;
  case 7: added(n, row, col, val, x, y); break;
  case 8: added(n, row, col, val, x, x + 1); break;
  case 9: added(n, row, col, val, x, val + n); break;
  case 10:
    // All rows are empty, and what they would be added to cannot be written, or read.
    for (int i = 0; i <= n; i++)
      row[i] = 5;
    page = mmap(0, N * sizeof *page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    added(n, row, col, val, x, page);
    seldom(n, 1, row, col, val, x, page);
    break;
  case 11: near(n, 400, row, col, val, x, y); break;
  case 12: near(n, 400, row, col, val, x, x); break;
  case 13: seldom(n, 1e9, row, col, val, x, mmap(0, N * sizeof *page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); break;
  case 14: seldom(n, 3, row, col, val, x, y); break;
  case 15: blocks(n, row, col, val, x, x + N, y); break;
  case 16: blocks(n, row, col, val, x, y, y); break;
  case 17: blocks(n, row, col, val, x, x, x + 1); break;
  case 18: several(n, row, col, wv, wx, wy); break;
  case 19: several(n, row, col, wv, wx, wx); break;
  case 20: several(n, row, col, wv, wx, (float (*)[8])(&wx[0][0] + 3)); break;
  case 21: both(n, row, col, val, x, y, z); break;
  case 22: both(n, row, col, val, x, y, y); break;
  case 23: both(n, row, col, val, x, y, y + 1); break;
  case 24: both(n, row, col, val, x, y + 1, y); break;
  case 25: both(n, row, col, val, x, x, y); break;
  default: return 0;
  }
  fwrite(x, sizeof x, 1, stdout), fwrite(y, sizeof y, 1, stdout), fwrite(z, sizeof z, 1, stdout), fwrite(val, sizeof val, 1, stdout);
  fwrite(wx, sizeof wx, 1, stdout), fwrite(wy, sizeof wy, 1, stdout), fwrite(row, sizeof row, 1, stdout), fwrite(col, sizeof col, 1, stdout);
  return 1;
}

// A process each, so that none of them is spared because the one before met what it writes.
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 17, 100};
  for (int which = 0, more = 1; more; which++)
    for (int s = 0; s < 6; s++) {
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
