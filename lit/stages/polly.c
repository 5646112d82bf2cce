// What Polly exports, under names of its own, comes back: the order that its optimizer found, tiles and all, is proved and compiled.
// REQUIRES: polly
// RUN: rm -rf %t && mkdir -p %t/polly %t/in
// RUN: %plainclang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t/two.ll
// RUN: cd %t/polly && opt -O3 -polly -polly-export -polly-only-func=two -polly-process-unprofitable -disable-output %t/two.ll
// RUN: cp %t/polly/two___*.jscop %t/in/polly.c.two.23.jscop
// RUN: FileCheck --check-prefix=FILE %s < %t/in/polly.c.two.23.jscop
// FILE: "name": "MemRef{{[0-9]+}}"
// FILE: "schedule": {{.*}} Stmt{{[0-9]+}}[i0, i1] -> [{{.*}}32
//
// RUN: env "POLYTILE=import=%t/in;min-work=0;dump=ast;only=two" %clang -O2 -g1 -fopenmp %s -o %t/theirs 2>&1 | FileCheck --check-prefix=LOOPS %s
// LOOPS: 32
// RUN: %plainclang -O2 %s -o %t/plain && %t/plain > %t/plain.out && %t/theirs > %t/theirs.out && cmp %t/theirs.out %t/plain.out
//
// An order that Polly would not have found is refused by the same names.
// RUN: sed 's/-> \[0, o1, o2/-> [2, o1, o2/' %t/in/polly.c.two.23.jscop > %t/wrong.jscop && mv %t/wrong.jscop %t/in/polly.c.two.23.jscop
// RUN: not env "POLYTILE=import=%t/in;min-work=0" %clang -O2 -g1 -fopenmp %s -o %t/theirs 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: error: polytile: {{.*}}polly.c.two.23.jscop:[[#]]: illegal: a dependence runs backwards: flow dependence

#include <stdio.h>
__attribute__((noinline)) void two(long m, long n, double a[restrict m], double b[restrict m][n], double c[restrict n], double d[restrict n],
                                   double e[restrict m][n]) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      a[i] += b[i][j] * c[j];
  for (long k = 0; k < n; k++)
    for (long l = 0; l < m; l++)
      d[k] += e[l][k] * a[l];
}
static double a[137], b[137 * 90], c[90], d[90], e[137 * 90];
int main(void) {
  for (int x = 0; x < 137 * 90; x++)
    b[x] = x % 17 / 3.0, e[x] = x % 13 / 7.0;
  for (int x = 0; x < 90; x++)
    c[x] = x / 5.0;
  two(137, 90, a, (void *)b, c, d, (void *)e);
  for (int i = 0; i < 137; i++)
    printf("%a\n", a[i]);
  for (int j = 0; j < 90; j++)
    printf("%a\n", d[j]);
}
