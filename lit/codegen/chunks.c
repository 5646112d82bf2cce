// Loops that OpenMP already deals out: each thread's part, from `lower` to `upper`, is a nest like any other, whose ends are computed
// in 32 bits; it becomes register tiles on that thread.
// RUN: %clang -O3 -march=x86-64-v3 -fopenmp -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=7 OMP_SCHEDULE=dynamic,3 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: chunks.c:[[#@LINE+2]]:{{.*}}loop nest transformed: {{.*}}register tile
NI void product(int n, const double *a, const double *b, double *c) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// A part of a triangle, in pieces of which each thread gets several.
NI void triangle(int n, const double *restrict a, double *restrict c) {
#pragma omp parallel for schedule(static, 5)
  for (int i = 1; i < n - 1; i++)
    for (int j = i; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * a[j * n + k];
}

// Whatever a thread takes next.
NI void taken(long n, const double *restrict a, double *restrict c) {
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < n; i += 2)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] -= a[i * n + k] * a[k * n + j];
}

// Two loops dealt out as one: rows are quotients.
NI void collapsed(int n, const double *restrict a, double *restrict c) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * a[j * n + k];
}

#ifdef MAIN
#define N 83
static double a[N * N], b[N * N], c[N * N];
int main(void) {
  for (int n = 0; n <= N; n += n < 4 ? 1 : 13) {
    for (int i = 0; i < N * N; i++)
      a[i] = i * 37 % 101 * .25, b[i] = i * 53 % 97 * .5, c[i] = i % 7;
    product(n, a, b, c), triangle(n, a, c), taken(n, b, c), collapsed(n, a, c);
    double s = 0;
    for (int i = 0; i < N * N; i++)
      s = s * .75 + c[i];
    printf("%.17g\n", s);
  }
}
#endif
