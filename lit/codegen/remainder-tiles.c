// Conditions on remainders of several counters, some of which go down, in tiles: the origins of tiles are known of where the condition is asked, and so are the
// counters in them.
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;tile-sizes=7,5,3;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.small
// RUN: env OMP_NUM_THREADS=1 %t.small | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.small | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;tile-sizes=16,8,5;dump=ast" %clang -O3 -march=native -fopenmp %s -o %t.large 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 %t.large | cmp - %t.expected
// CHECK: if ({{.*}}c{{[0-9]+}}{{.*}}, 3){{.*}}))
#include <stdio.h>
static unsigned c[40 * 40];

__attribute__((noinline)) static void thirds(int n, int m, int w) {
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--)
      if ((i + j) % 3)
        c[i * w + j] += i + 1;
}
__attribute__((noinline)) static void quarters(int n, int m, int w) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      if ((2 * i + j) % 4)
        c[i * w + j] += 3 * j;
}
int main(void) {
  for (int n = 1; n < 40; n += 3) {
    thirds(n, 40 - n, 40);
    quarters(40 - n, n, 40);
  }
  for (int i = 0; i < 40 * 40; i++)
    printf(" %u", c[i]);
}
