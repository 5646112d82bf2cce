// Conditions on data around loops are asked as often as in the source, in front of the inner loops; what is skipped is neither read nor written: it
// lies in pages that nobody may touch. Bytes are the same, also where what is skipped would be a product of zero and infinity.
// RUN: %clang -O2 -march=native -fopenmp %s -o %t -mllvm -polytile-min-work=0 -mllvm -polytile-parallel-min-us=0 -mllvm -polytile-verify=on -Rpass=polytile 2>&1 | FileCheck %s
// RUN: clang-22 -O2 -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O2 -fno-vectorize -fno-unroll-loops -emit-llvm -S -o - %s | FileCheck %s --check-prefix=IR
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#define KERNEL __attribute__((noinline))
enum { N = 70, ROW = 512, CELLS = 60 };

// IR-LABEL: define {{.*}}@product{{[^(]*}}.team(
// IR: fcmp une double
// IR-NEXT: br i1
// IR-NOT: fcmp
// IR: store double
// CHECK-DAG: guards.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement, 1 parallel loop, 1 vector loop
KERNEL void product(int n, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      double v = a[i][k];
      if (v == 0)
        continue;
      for (int j = 0; j < n; j++)
        c[i][j] += v * b[k][j];
    }
}

// The pivot's column is overwritten, so that the factor and the condition are values from before.
// CHECK-DAG: guards.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
KERNEL void eliminate(int n, double (*a)[N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (i != k && a[i][k] != 0) {
        double f = a[i][k] / a[k][k];
        for (int j = 0; j < n; j++)
          a[i][j] -= f * a[k][j];
      }
}

// CHECK-DAG: guards.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
KERNEL void closure(int n, unsigned char (*p)[N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (p[i][k])
        for (int j = 0; j < n; j++)
          p[i][j] |= p[k][j];
}

// CHECK-DAG: guards.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
KERNEL void shortest(int n, int (*d)[N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (d[i][k] < 1000000)
        for (int j = 0; j < n; j++)
          if (d[i][k] + d[k][j] < d[i][j])
            d[i][j] = d[i][k] + d[k][j];
}

// A lower triangle: the condition is read from the row that is written, in front of what is written.
// CHECK-DAG: guards.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
KERNEL void below(int n, double (*a)[N], double (*restrict f)[N]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      if (a[i][k] != 0)
        for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * f[k][j];
}

// Two arrays behind one condition.
// CHECK-DAG: guards.c:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
KERNEL void cells(int n, const int *restrict active, double (*restrict u)[ROW], double (*restrict v)[ROW]) {
  for (int i = 0; i < n; i++)
    if (active[i])
      for (int j = 0; j < ROW; j++) {
        u[i][j] += 0.25 * v[i][j];
        v[i][j] *= 1.5;
      }
}

// Rows behind pointers: the table ends with the entries that the program reads.
KERNEL void rows(int n, const int *restrict active, double **restrict u, const double *restrict v) {
  for (int i = 0; i < n; i++)
    if (active[i])
      for (int j = 0; j < N; j++)
        u[i][j] += v[j];
}

static double a[N][N], b[N][N], c[N][N];
static unsigned char p[N][N];
static int d[N][N], active[CELLS];

static void *pages(void) {
  return mmap(0, sizeof(double[CELLS][ROW]), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void print(const char *name, const void *data, unsigned long size) {
  const unsigned char *bytes = data;
  unsigned long hash = 14695981039346656037u;
  for (unsigned long i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 1099511628211u;
  printf("%s %lx\n", name, hash);
}

static void table(void) {
  enum { ENTRIES = 30 };
  char *page = pages();
  mprotect(page + 4096, 4096, PROT_NONE);
  double **u = (double **)(page + 4096) - ENTRIES;
  for (int i = 0; i < CELLS; i++)
    active[i] = i < ENTRIES && i % 3 == 0;
  for (int i = 0; i < ENTRIES; i++)
    u[i] = active[i] ? a[i] : (double *)16;
  rows(CELLS, active, u, b[3]);
  print("rows", a, sizeof a);
}

int main(void) {
  double(*u)[ROW] = pages(), (*v)[ROW] = pages();
  for (int percent = 0; percent <= 100; percent += 25) {
    unsigned seed = 7 + percent;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        seed = seed * 1103515245 + 12345;
        int holds = (int)(seed >> 16) % 100 < percent;
        a[i][j] = holds ? 1 + j % 7 * 0.125 : j % 2 ? 0.0 : -0.0;
        b[i][j] = seed % 11 == 0 && percent < 100 ? INFINITY : 0.25 * (seed % 13) - 1;
        c[i][j] = j % 3 ? -0.0 : 0.5 * j;
        p[i][j] = holds && (seed >> 8) % 8 == 0;
        d[i][j] = holds ? seed % 999 : 1000000;
      }
    product(N, a, b, c);
    print("product", c, sizeof c);
    below(N, c, b);
    print("below", c, sizeof c);
    for (int i = 0; i < N; i++)
      a[i][i] = 3 + i;
    eliminate(N, a);
    print("eliminate", a, sizeof a);
    closure(N, p);
    print("closure", p, sizeof p);
    shortest(N, d);
    print("shortest", d, sizeof d);
    for (int i = 0; i < CELLS; i++) {
      seed = seed * 1103515245 + 12345;
      active[i] = (int)(seed >> 16) % 100 < percent;
      mprotect(u[i], sizeof u[i], active[i] ? PROT_READ | PROT_WRITE : PROT_NONE);
      mprotect(v[i], sizeof v[i], active[i] ? PROT_READ | PROT_WRITE : PROT_NONE);
      for (int j = 0; j < ROW && active[i]; j++) {
        u[i][j] = j;
        v[i][j] = j % 10 * 0.1;
      }
    }
    cells(CELLS, active, u, v);
    for (int i = 0; i < CELLS; i++)
      if (active[i]) {
        print("u", u[i], sizeof u[i]);
        print("v", v[i], sizeof v[i]);
      }
  }
  table();
}
