// A cell that is read in front of a nest and stored back behind it, into which the nest writes if its arrays overlap: nothing else says that it is there.
// RUN: %plainclang -O1 -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O2 -march=native -fno-strict-aliasing -fopenmp %s -o %t.new
// RUN: env POLYTILE_VERBOSE=1 %t.new 2>%t.runs | cmp - %t.expected
// RUN: FileCheck %s < %t.runs
#include <stdio.h>
// CHECK: doubled: new version 1 {{.*}} original 1; arrays overlap: 1
__attribute__((noinline)) void doubled(int n, double *b, double *r) {
  double kept = r[1];
  for (int i = 0; i < n; i++)
    b[i] = b[i] * 2;
  r[1] = kept;
}
int main(void) {
  static double x[601], y[2];
  for (int i = 0; i < 601; i++)
    x[i] = i - 2;
  doubled(500, x + 1, x);
  doubled(500, x + 1, y);
  printf("%g %g %g\n", x[0], x[1], x[2]);
}
