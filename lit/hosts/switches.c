// The switches of a program's user. POLYTILE_DISABLE=1: original versions only. POLYTILE_VERBOSE=1: when the program ends, a line for
// each region says how often which version ran and why the original did, also where nothing ran; with report=all for all entries. Static
// programs, shared libraries that are closed again, several modules, and both kinds of LTO link and tell. With report=off there is nothing of
// it, nor in a function that must call nothing.
// RUN: %clang -O3 -march=x86-64-v3 -g1 -fopenmp -DMAIN %s -o %t
// RUN: env OMP_NUM_THREADS=2 %t 2> %t.silent | FileCheck %s --check-prefix=OUT
// RUN: count 0 < %t.silent
// RUN: env POLYTILE_DISABLE= POLYTILE_VERBOSE=0 %t 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t 2>&1 | FileCheck %s --check-prefixes=OUT,RAN
// RUN: env POLYTILE_DISABLE=1 %t 2> %t.silent | FileCheck %s --check-prefix=OUT
// RUN: count 0 < %t.silent
// RUN: env POLYTILE_DISABLE=1 POLYTILE_VERBOSE=1 %t 2>&1 | FileCheck %s --check-prefixes=OUT,OFF
// RUN: env POLYTILE_VERBOSE=1 %t nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: env POLYTILE=report=all %clang -O3 -march=x86-64-v3 -g1 -DMAIN %s -o %t.all
// RUN: %t.all | FileCheck %s --check-prefix=OUT
// RUN: env POLYTILE_VERBOSE=1 %t.all 2>&1 | FileCheck %s --check-prefixes=OUT,ALL
// RUN: env POLYTILE_VERBOSE=1 %t.all nothing 2>&1 | FileCheck %s --check-prefix=ALL-NOTHING
// RUN: env "POLYTILE=report=all;choose=1" %clang -O3 -march=x86-64-v3 -g1 -DMAIN %s -o %t.named
// RUN: env POLYTILE_VERBOSE=1 %t.named 2>&1 | FileCheck %s --check-prefixes=OUT,NAMED
// RUN: env "POLYTILE=report=all;select=measure;min-work=0" %clang -O3 -march=x86-64-v3 -DMAIN %s -o %t.measured
// RUN: env POLYTILE_VERBOSE=1 %t.measured 2>&1 | FileCheck %s --check-prefix=OUT
//
// RUN: %clang -O3 -march=x86-64-v3 -g1 -static -DMAIN %s -o %t.static && env POLYTILE_VERBOSE=1 %t.static 2>&1 | FileCheck %s --check-prefixes=OUT,RAN
// RUN: %clang -O3 -march=x86-64-v3 -g1 -fPIC -shared %s -o %t.so && %clang -O1 -DOPEN %s -o %t.open
// RUN: env POLYTILE_VERBOSE=1 %t.open %t.so 2>&1 | FileCheck %s --check-prefix=CLOSED
// RUN: %clang -O3 -march=x86-64-v3 -g1 -c %s -o %t.1.o && %clang -O3 -march=x86-64-v3 -g1 -c -DOTHER %s -o %t.2.o
// RUN: %clang -O1 -DMAIN -DTWO %s %t.1.o %t.2.o -o %t.two && env POLYTILE_VERBOSE=1 %t.two 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %clang -O3 -march=x86-64-v3 -g1 -flto -DMAIN -DTWO -c %s -o %t.3.o
// RUN: %clang -O3 -march=x86-64-v3 -g1 -flto -c %s -o %t.1.o && %clang -O3 -march=x86-64-v3 -g1 -flto -c -DOTHER %s -o %t.2.o
// RUN: clang-22 -flto -O3 %lld %t.1.o %t.2.o %t.3.o -o %t.lto && env POLYTILE_VERBOSE=1 %t.lto 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %clang -O3 -march=x86-64-v3 -g1 -flto=thin -DMAIN -DTWO -c %s -o %t.3.o
// RUN: %clang -O3 -march=x86-64-v3 -g1 -flto=thin -c %s -o %t.1.o && %clang -O3 -march=x86-64-v3 -g1 -flto=thin -c -DOTHER %s -o %t.2.o
// RUN: clang-22 -flto=thin -O3 %lld %t.1.o %t.2.o %t.3.o -o %t.thin && env POLYTILE_VERBOSE=1 %t.thin 2>&1 | FileCheck %s --check-prefix=TWO
//
// RUN: %clang -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CODE
// RUN: env POLYTILE=report=off %clang -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
//
// OUT: sum 425642{{$}}
// NAMED-DAG: product [{{[0-9a-f]+}}]: new version 2 (0.{{[0-9]+}} s), original 6 ({{[0-9.]+}} s); arrays overlap: 1
// RAN-DAG: polytile: {{.*}}switches.c:[[#@LINE+35]]: product: new version 2 (0.{{[0-9]+}} s), original 1; arrays overlap: 1{{$}}
// RAN-DAG: polytile: {{.*}}switches.c:[[#@LINE+37]]: transposed: no run with enough work{{$}}
// OFF-DAG: product: new version 0 (0.000000 s), original 3; switched off: 3{{$}}
// NOTHING-DAG: product: no run with enough work
// NOTHING-DAG: transposed: no run with enough work
// ALL-DAG: product: new version 2 (0.{{[0-9]+}} s), original 6 ({{[0-9.]+}} s); arrays overlap: 1; not enough work: 5{{$}}
// ALL-DAG: transposed: new version 0 (0.000000 s), original 1 ({{[0-9.]+}} s); not enough work: 1{{$}}
// ALL-NOTHING-DAG: product: no run{{$}}
// CLOSED: product: new version 1
// CLOSED: transposed: no run with enough work
// CLOSED-NEXT: closed
// TWO-DAG: :{{[0-9]+}}: product: new version 2 (0.{{[0-9]+}} s), original 1; arrays overlap: 1{{$}}
// TWO-DAG: :{{[0-9]+}}: other_product: new version 1 (0.{{[0-9]+}} s), original 0{{$}}
//
// CODE: define internal {{.*}}@product.polytile.new(
// CODE: load atomic i64, ptr @polytile.asked monotonic
// CODE: define internal {{.*}}@handler.polytile.new(
// CODE-NOT: @polytile.asked
// CODE-NOT: @polytile.report
// CODE: define internal {{.*}}@polytile.read_switches
// NONE-NOT: @polytile.{{asked|re[a-z_]*}}
#include <stdio.h>
#include <stdlib.h>
#ifdef OTHER
#define NAME(name) other_##name
#else
#define NAME(name) name
#endif
#define PRODUCT                                                                                                        \
  for (int i = 0; i < n; i++)                                                                                          \
    for (int j = 0; j < n; j++)                                                                                        \
      for (int k = 0; k < n; k++)                                                                                      \
        c[i * n + j] += a[i * n + k] * b[k * n + j];
#if !defined OPEN && !defined TWO
__attribute__((noinline)) void NAME(product)(int n, double *c, double *a, double *b) {
  PRODUCT
}
__attribute__((noinline)) void NAME(transposed)(int n, float (*c)[100], float (*a)[100], float (*b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[j][k];
}
#ifndef MAIN
static double own[400][400];
static void handler(int n) {
  for (int t = 0; t < n; t++)
    for (int i = 1; i < 399; i++)
      for (int j = 1; j < 399; j++)
        own[i][j] = (own[i - 1][j] + own[i][j - 1] + own[i][j] + own[i][j + 1] + own[i + 1][j]) / 5;
}
void (*signal(int, void (*)(int)))(int);
void NAME(install)(void) { signal(14, handler); }
#endif
#else
void product(int n, double *c, double *a, double *b);
void other_product(int n, double *c, double *a, double *b);
void transposed(int n, float (*c)[100], float (*a)[100], float (*b)[100]);
#endif
#ifdef MAIN
int main(int count, char **words) {
  (void)words;
  enum { N = 200, SIZE = N * N };
  if (count > 1)
    return 0;
  double *a = calloc(4 * SIZE, sizeof *a);
  for (int i = 0; i < SIZE; i++)
    a[SIZE + i] = i % 3, a[2 * SIZE + i] = i % 2;
  product(N, a, a + SIZE, a + 2 * SIZE);
  product(N, a, a + SIZE, a + 2 * SIZE);
  // 1 is added once where both overlap
  product(N, a + 3 * SIZE, a + 3 * SIZE, a + 2 * SIZE);
  for (int i = 0; i < 5; i++)
    product(1, a, a + SIZE + 2, a + 2 * SIZE + 1);
  static float f[3][100][100];
  transposed(2, f[0], f[1], f[2]);
#ifdef TWO
  other_product(N, a + 3 * SIZE, a + SIZE, a + SIZE);
#endif
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += a[i] / (1 + i % 97);
  printf("sum %.0f\n", sum + 0.25);
  fflush(stdout);
}
#endif
#ifdef OPEN
#include <dlfcn.h>
int main(int count, char **words) {
  void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : 0;
  if (!library)
    return 1;
  double *a = calloc(3 * 40000, sizeof *a);
  ((void (*)(int, double *, double *, double *))dlsym(library, "product"))(200, a, a + 40000, a + 80000);
  dlclose(library);
  fprintf(stderr, "closed\n");
}
#endif
