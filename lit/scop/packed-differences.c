// Two numbers that share a register, and one less some rows: LLVM subtracts from the register before it shifts. Each is a number of its own.
// RUN: env POLYTILE=dump=scop %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=3 %t.new 2>%t.runs | cmp - %t.expected
// RUN: FileCheck --check-prefix=RUNS %s < %t.runs
// CHECK: scop "smooth
// CHECK-NOT: param {{[^ ]*}} = v{{[0-9]+$}}
// CHECK: stmt S0
// RUNS: smooth: new version {{[1-9]}}
#include <stdio.h>
struct size {
  int w, h;
};

__attribute__((noinline)) void smooth(struct size s, double *restrict to, const double *restrict from) {
  for (int y = 1; y < s.h - 2; y++)
    for (int x = 1; x < s.w - 1; x++)
      to[(long)y * s.w + x] = 0.25 * (from[(long)y * s.w + x - 1] + from[(long)y * s.w + x + 1] + from[(long)(y + 1) * s.w + x]) +
                              from[(long)(s.h - 2) * s.w + x] * from[(long)(s.h - 1) * s.w + x];
}

static double a[700 * 900], b[700 * 900];

int main(void) {
  for (int i = 0; i < 700 * 900; i++)
    a[i] = i % 37 * 0.5;
  smooth((struct size){900, 700}, b, a);
  smooth((struct size){40, 2}, b, a);
  smooth((struct size){-3, 50}, b, a);
  double sum = 0;
  for (int i = 0; i < 700 * 900; i++)
    sum = sum * 0.5 + b[i];
  printf("%a\n", sum);
}
