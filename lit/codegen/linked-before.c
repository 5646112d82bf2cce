// A module that another run has linked parts of the run-time into, and whose functions lost arguments since: this run has its own.
// RUN: %clang -O3 -fopenmp %s -o %t.new && env OMP_NUM_THREADS=2 %t.new > %t.out
// RUN: clang-22 -O3 %s -o %t.plain && %t.plain | cmp - %t.out
// RUN: %clang -O3 -fopenmp -S -emit-llvm %s -o - 2>&1 | FileCheck %s
#include <stdio.h>

// CHECK-NOT: internal error
// CHECK: define internal {{.*}}@polytile.threads.earlier
static long threads(void) __asm__("polytile.threads");
__attribute__((noinline)) static long threads(void) {
  __asm__ volatile("");
  return 1;
}

__attribute__((noinline)) static void smooth(int n, double a[n][n], double b[n][n]) {
  for (int t = 0; t < 20; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = .25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
}

static double a[400][400], b[400][400];

int main(void) {
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 400; j++)
      a[i][j] = i * 7 % 31 + j * .5;
  smooth(400, a, b);
  double sum = 0;
  for (int i = 0; i < 400; i++)
    sum = sum * .5 + a[i][399 - i] + a[i][i];
  printf("%a %ld\n", sum, threads());
}
