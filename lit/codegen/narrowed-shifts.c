// Counters of few bits, shifted right or divided with their sign, at the least number of all, which has none without its sign in its own width.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %t.new | cmp - %t.expected
#include <stdint.h>
#include <stdio.h>
#define KERNEL __attribute__((noinline)) void
static int d[70000];
// CHECK: narrowed-shifts.c:[[#@LINE+2]]:{{.*}}transformed
KERNEL bytes(int n, int *d) {
  for (int i = 0; i < n; i++)
    d[i] = (int8_t)i >> 2;
}
// CHECK: narrowed-shifts.c:[[#@LINE+2]]:{{.*}}transformed
KERNEL words(int n, int *d) {
  for (int i = 0; i < n; i++)
    d[i] = ((short)i >> 3) + (int8_t)(i * 3) / 5;
}
// CHECK: narrowed-shifts.c:[[#@LINE+2]]:{{.*}}transformed
KERNEL whole(int n, int *d) {
  for (int i = 0; i < n; i++)
    d[i] = (int)(i * 16777216u) / 5 + (int)(i * 50331648u) % 7;
}
int main(void) {
  unsigned sum = 0;
  for (int n = 0; n < 70000; n = 3 * n + 130) {
    bytes(n, d);
    for (int i = 0; i < n; i++)
      sum = sum * 31 + d[i];
    words(n, d);
    for (int i = 0; i < n; i++)
      sum = sum * 31 + d[i];
    whole(n, d);
    for (int i = 0; i < n; i++)
      sum = sum * 31 + d[i];
    printf("%u\n", sum);
  }
}
