// Arrays that lie one behind the other do not overlap, in whatever order: the new version runs. If they share an element, the
// original does. The runtime here counts the loops that begin, which tells a new version from the original.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native %s -o %t.out && %t.out new > %t.new
// RUN: cmp %t.new %t.expected
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 40

static int forks;
void __kmpc_fork_call(void *at, int count, void (*work)(int *, int *, void *, void *, void *, void *), ...) {
  void *args[4] = {0};
  va_list list;
  va_start(list, work);
  for (int i = 0; i < count && i < 4; i++)
    args[i] = va_arg(list, void *);
  va_end(list);
  int zero = 0;
  forks++;
  work(&zero, &zero, args[0], args[1], args[2], args[3]);
}

int __kmpc_global_thread_num(void *at) { return 0; }
void __kmpc_push_num_threads(void *at, int thread, int count) {}
int omp_get_num_threads(void) { return 1; }
int omp_get_max_threads(void) { return 2; }
int omp_in_parallel(void) { return 0; }
int omp_get_thread_limit(void) { return 2; }
int omp_get_num_procs(void) { return 2; }

typedef void Kernel(int n, double *a, double *r, double *b);
#define KERNEL __attribute__((noinline)) static void
// Rows of the right triangle, and its diagonal.
KERNEL upper(int n, double *a0, double *r0, double *b0) {
  double(*a)[N] = (double(*)[N])a0, (*r)[N] = (double(*)[N])r0, (*b)[N] = (double(*)[N])b0;
  for (int i = 0; i < N; i++) {
    r[i][i] = 2 * a[i][i];
    for (int j = i + 1; j < N; j++)
      r[i][j] = a[i][j] + b[j][i];
  }
}
// Less of each row.
KERNEL corner(int n, double *a, double *r, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n - i; j++)
      r[i * (long)n + j] = a[i * (long)n + j] + b[i * (long)n + n - 1 - j];
}
// Downwards, from the last element.
KERNEL down(int n, double *a, double *r, double *b) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j >= i; j--)
      r[i * (long)n + j] = 3 * a[j * (long)n + i] + b[j];
}
// Pieces of rows.
KERNEL pieces_of(int n, int m, double *a, double *r, double *b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      r[i * (long)n + j] = a[i * (long)n + j] * 2;
    for (int j = n - m; j < n; j++)
      r[i * (long)n + j] = a[i * (long)n + j] + b[j];
  }
}
KERNEL pieces(int n, double *a, double *r, double *b) { pieces_of(n, n / 4, a, r, b); }
// All elements.
KERNEL all(int n, double *a, double *r, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      r[i * (long)n + j] = 3 * a[i * (long)n + j] + b[j * (long)n + i];
}

static double memory[4 * N * N];
// Runs a kernel on arrays at these elements; whether the new version ran.
__attribute__((optnone, noinline)) static int at(Kernel *kernel, int n, long a, long r, long b) {
  for (int i = 0; i < 4 * N * N; i++)
    memory[i] = (i * 7 % 101) / 8.0;
  forks = 0;
  kernel(n, memory + a, memory + r, memory + b);
  fwrite(memory, sizeof memory, 1, stdout);
  return forks > 0;
}

int main(int argc, char **argv) {
  int counted = argc > 1;
  Kernel *kernels[] = {upper, corner, down, pieces, all};
  const char *names[] = {"upper", "corner", "down", "pieces", "all"};
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < 5; k++)
    for (int o = 0; o < 6; o++) {
      const int *p = orders[o];
      const long size = N * N;
      if (!at(kernels[k], N, p[0] * size, p[1] * size, p[2] * size) && counted)
        fprintf(stderr, "%s: the original ran in order %d\n", names[k], o), exit(1);
      // Whole arrays, one element further into each other.
      if (k == 4)
        if (at(kernels[k], N, p[0] * (size - 1), p[1] * (size - 1), p[2] * (size - 1)) && counted)
          fprintf(stderr, "%s: the new version ran on overlapping arrays %d\n", names[k], o), exit(1);
    }
}
