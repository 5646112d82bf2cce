// Nests that data may end early: factorizations that give up at a bad pivot. The new version computes into copies and finds out whether the program would
// have left; if so nothing was changed, the original runs, and does so for some time. What repeats until a result is good enough stays as it is.
// RUN: %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile -Rpass-missed=polytile %s -o %t.new -lm 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -o %t.forced -lm
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: env 'POLYTILE=dump=ast;only=rows' %clang -O3 -march=x86-64-v3 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=TILES %s
// RUN: env POLYTILE='min-work=0;verify=run' %clang -O3 -march=native -fopenmp %s -o %t.both -lm
// RUN: env OMP_NUM_THREADS=2 %t.both | cmp - %t.expected
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// The condition of an exit is none around a loop: tiles and registers stay.
// TILES: tile {{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}}
// IR: define {{.*}}@rows.polytile
// IR: call {{.*}}@polytile.intact.begin(
// IR: store atomic i64 0, ptr {{.*}} monotonic
// IR: load atomic i64, ptr {{.*}} monotonic
// IR: call {{.*}}@polytile.intact.end(

// The result has another place than the matrix, and each of its elements is written once.
__attribute__((noinline)) int rows(double *A, double *L, int n) {
  // CHECK: early-exits.c:[[@LINE+1]]:3: remark: loop nest transformed: 8 statements
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k < j; k++)
        s += L[i * n + k] * L[j * n + k];
      if (i == j) {
        double d = A[i * n + i] - s;
        if (d <= 0)
          return -1;
        L[i * n + j] = sqrt(d);
      } else
        L[i * n + j] = (A[i * n + j] - s) / L[j * n + j];
    }
  return 0;
}

// In place: what the program changed before it left stays changed.
__attribute__((noinline)) int in_place(double *a, int n) {
  // CHECK: early-exits.c:[[@LINE+1]]:3: remark: loop nest transformed
  for (int k = 0; k < n; k++) {
    if (fabs(a[k * n + k]) < 1e-12)
      return k + 1;
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
  return 0;
}

// The way out does something of its own.
__attribute__((noinline)) int columns(int n, double a[n][n]) {
  // CHECK: early-exits.c:[[@LINE+1]]:3: remark: loop nest transformed
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        a[i][j] -= a[i][k] * a[j][k];
    if (!(a[j][j] > 0)) {
      printf("row %d: ", j);
      return 1;
    }
    double d = sqrt(a[j][j]);
    for (int i = j; i < n; i++)
      a[i][j] /= d;
  }
  return 0;
}

__attribute__((noinline)) int relax(double *restrict a, double *restrict b, int n, int most) {
  // CHECK: early-exits.c:[[@LINE+1]]:3: remark: loop nest not transformed: it has 2 exits
  for (int t = 0; t < most; t++) {
    double r = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double d = .25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]) - a[i * n + j];
        b[i * n + j] = a[i * n + j] + d;
        r += d * d;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] = b[i * n + j];
    if (r < 1e-3)
      return t;
  }
  return most;
}

static uint64_t sum(const double *x, long n) {
  uint64_t all = 14695981039346656037u;
  for (long i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, 8);
    all = (all ^ bits) * 1099511628211u;
  }
  return all;
}

static void fill(double *a, int n, int rows, int bad) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = i == j ? n + 1 : 1.0 / (1 + abs(i - j));
  if (bad >= 0)
    for (int j = 0; j < n; j++)
      a[bad * n + j] = bad ? a[(bad - 1) * n + j] : 0;
}

static void run(int kernel, int n, int bad) {
  // The matrix ends where memory ends, and in the last case it ends before the program comes to its end.
  long page = 4096, half = kernel == 4, rest = half ? n / 2 + 1 : n;
  long bytes = (8 * rest * n + page - 1) / page * page;
  char *memory = mmap(0, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + bytes, page, PROT_NONE))
    exit(1);
  double *a = (double *)(memory + bytes) - rest * n, *l = calloc(n * n + 1, 8);
  fill(a, n, rest, bad);
  feclearexcept(FE_ALL_EXCEPT);
  if (kernel == 3)
    feenableexcept(FE_INVALID | FE_DIVBYZERO);
  int result = kernel == 1 ? in_place(a, n) : kernel == 2 ? columns(n, (void *)a) : rows(a, l, n);
  int flags = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  printf("%d %d %d: %d %lx %lx %x", kernel, n, bad, result, sum(a, rest * n), sum(l, n * n), flags);
  if (!half) {
    fill(a, n, n, -1);
    result = kernel == 1 ? in_place(a, n) : kernel == 2 ? columns(n, (void *)a) : rows(a, l, n);
    printf(" %d %lx %lx", result, sum(a, n * n), sum(l, n * n));
  }
  printf("\n");
}

int main(void) {
  int sizes[] = {1, 2, 5, 16, 33, 64, 97, 130, 200};
  for (int s = 0; s < 9; s++)
    for (int kernel = 0; kernel < 5; kernel++)
      for (int at = -1; at < 3; at++) {
        int n = sizes[s], bad = at < 0 ? -1 : at * (n - 1) / 2;
        if (kernel == 4 && (bad < 0 || bad > n / 2))
          continue;
        // What has left once does so no more: each case is a process.
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
          run(kernel, n, bad);
          fflush(stdout);
          _exit(0);
        }
        int status;
        if (waitpid(child, &status, 0) < 0 || status)
          printf("status %d\n", status);
      }
  double *a = calloc(100 * 100, 8), *b = calloc(100 * 100, 8);
  fill(a, 100, 100, -1);
  printf("%d\n", relax(a, b, 100, 1000));
}
