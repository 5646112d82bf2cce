// With `verify=run` a program runs both versions of each region, the new one on copies, and ends where they differ, with the nest's
// place: in an element (the new version's sums are spoilt here), or in a value that the loops hand on. Where they agree, it prints what
// it prints without the plugin. A function that must call nothing is left out.
// RUN: %plainclang -O1 -march=native -DMAIN %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=verify=run;min-work=0;parallel-min-us=0" %clang -O3 -march=native -g1 -fopenmp -DMAIN %s -lm -o %t.both
// RUN: env OMP_NUM_THREADS=3 %t.both | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 POLYTILE_VERBOSE=1 %t.both 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: env "POLYTILE=verify=run;min-work=0;parallel=off" %clang -O3 -march=x86-64-v3 -ffp-contract=off -g1 -DMAIN -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll && FileCheck %s --check-prefix=NEW < %t.ll
// RUN: sed -E '/^define .*@product\.polytile/,/^}/ s/fadd/fsub/' %t.ll > %t.element.ll && %plainclang -O1 %t.element.ll -lm -o %t.element
// RUN: not --crash %t.element 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: sed -E '/^define .*@total\.polytile/,/^}/ s/fadd/fsub/' %t.ll > %t.value.ll && %plainclang -O1 %t.value.ll -lm -o %t.value
// RUN: not --crash %t.value 2>&1 | FileCheck %s --check-prefix=VALUE
//
// CHECK-LABEL: define {{.*}}@product(
// CHECK: call void @polytile.verify.compare(i64 {{.*}}, ptr nonnull @polytile.place
// CHECK-LABEL: define {{.*}}@handler(
// CHECK-NOT: @polytile.verify
// CHECK: }
// NEW-LABEL: define {{.*}}@product.polytile.
// NEW: call i64 @polytile.verify.keep(
// NEW: call void @polytile.verify.put_aside(
// RAN-DAG: product: new version 2 ({{.*}} s), original 0
// RAN-DAG: total: new version 1 ({{.*}} s), original 0
// ELEMENT: polytile: {{.*}}both.c:[[#@LINE+10]]: product: the new version differs from the original: byte {{[0-9]+}} of {{[0-9]+}} at 0x{{.*}} is 0x{{..}} and not 0x{{..}}
// VALUE: polytile: {{.*}}both.c:[[#@LINE+17]]: total: the new version differs from the original: a value is 0x{{.*}} and not 0x
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#define NI __attribute__((noinline))

// The border stays: bytes that nobody writes lie between those that are.
NI void product(int n, double *to, const double *from) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 0; k < n; k++)
        to[i * n + j] += from[i * n + k] * from[k * n + j];
}

NI double total(int n, double *restrict to, const double *restrict from) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      to[j * n + i] = 2 * from[i * n + j];
      sum += sqrt(from[i * n + j]) / (1 + from[i * n + j]);
    }
  return sum;
}

double state[64][64], seen[64][64];
void handler(int number) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      for (int k = 0; k < 64; k++)
        seen[i][j] += state[i][k] * state[k][j] * number;
}

#ifdef MAIN
enum { N = 101 };
int main(void) {
  double *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b);
  for (int i = 0; i < N * N; i++) {
    a[i] = i % 17;
    b[i] = i % 5;
  }
  product(N, a, b);
  product(N, b, a);
  const double sum = total(N, a, b);
  signal(SIGUSR1, handler);
  for (int i = 0; i < N * N; i++)
    printf("%.17g %.17g\n", a[i], b[i]);
  printf("%.17g\n", sum);
}
#endif
