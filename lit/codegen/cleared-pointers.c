// A memory set of pointers writes pointers: what resize() of a vector of vectors does with what it has moved.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.new | cmp - %t.expected
#include <stdio.h>
#include <string.h>
struct vector {
  float *begin, *end, *limit;
};
__attribute__((noinline)) static void move(struct vector *restrict to, struct vector *restrict from, int n) {
  // CHECK: cleared-pointers.c:[[@LINE+1]]:{{.*}} loop nest transformed: 6 statements
  for (int i = 0; i < n; i++) {
    to[i].begin = from[i].begin;
    to[i].end = from[i].end;
    to[i].limit = from[i].limit;
    memset(&from[i], 0, sizeof *from);
  }
  for (int i = 0; i < n; i++) {
    to[i].limit = to[i].end;
    memset(&from[i].end, 0x11, 2 * sizeof from->end);
  }
}
static struct vector a[1000], b[1000];
int main(void) {
  static float f[9];
  for (int n = 0; n <= 1000; n += 1 + 9 * (n > 2)) {
    for (int i = 0; i < n; i++)
      a[i] = (struct vector){f + i % 9, f + i % 7, f};
    move(b, a, n);
    long moved = 0, cleared = 0;
    for (int i = 0; i < n; i++) {
      moved += (b[i].begin - f) + (b[i].end - f) * 3 + (b[i].limit - f) * 5;
      cleared += (a[i].begin == 0) + (long)a[i].end % 1001;
    }
    printf("%ld %ld\n", moved, cleared);
  }
}
