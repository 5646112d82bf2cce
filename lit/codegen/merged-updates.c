// Two PHIs of a loop are one value to the program: what one of them takes next is merged by the iteration from what data chose of both. They change at once, so that one
// is put aside while the other one changes.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>

struct body {
  int p[3], a[5], m;
};

// CHECK: merged-updates.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) static void gather(int n, struct body *b, int *x, int *y, int *f) {
  for (int i = 0; i < n; i++) {
    f[i * 5] = 1;
    for (int j = 0; j < n - 1; j++) {
      if (b[j].m + x[j] < 24) {
        if (x[j] > f[i * 5])
          f[i * 5] = x[j] - y[i];
        if (b[j].p[0] * 2 > f[i * 5])
          f[i * 5] = x[j] - y[i];
      }
      if (j != i)
        f[i * 5] -= x[j];
    }
  }
}

int main() {
  static struct body b[70];
  static int x[70], y[70], f[350];
  unsigned s = 518;
  for (int i = 0; i < 70; i++) {
    s = s * 1664525u + 1013904223u;
    b[i].p[0] = (int)(s >> 28) - 8;
    s = s * 1664525u + 1013904223u;
    b[i].m = s >> 29;
    x[i] = (int)(s >> 27) - 16;
    y[i] = (int)(s >> 26 & 15) - 8;
  }
  for (int n = 1; n <= 70; n++) {
    gather(n, b, x, y, f);
    long all = 0;
    for (int i = 0; i < n; i++)
      all = all * 31 + f[i * 5];
    printf("%ld\n", all);
  }
}
