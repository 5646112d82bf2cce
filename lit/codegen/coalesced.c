// Remainders and quotients in tiles for which isl's loop generation fails at an assertion of its own, when it coalesces: another form of the loops has none.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on;tile-sizes=7,2,6,2;parallel=off" %clang -O3 -march=native -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
#include <stdio.h>
#include <string.h>

// CHECK: coalesced.c:[[@LINE+4]]:5: remark: loop nest transformed
__attribute__((noinline)) void kernel(int n, int m, int l, unsigned short a[49][9], unsigned short b[l][n],
                                      unsigned short c[m][l]) {
  for (unsigned i = 0; (long)i <= n - 1; i++) {
    for (int j = 0; j < (n < i + 2 ? n : i + 2); j++) {
      for (int k = i; k < (l + 1) / 2; k++) {
        if (n - 1 > 0)
          memset(&c[i % 4][k], 0, sizeof(unsigned short) * (n - 1));
        if ((i + m + 2) % 3 != 0)
          b[k / 2][j] = a[k][i + 1];
      }
      a[i][j] = c[2 * j + 1][i + 2];
    }
  }
}

int main(void) {
  static unsigned short a[49][9], b[97 * 8], c[16 * 97];
  for (int m = 16; m < 19; m++) {
    for (int i = 0; i < 49 * 9; i++)
      a[i / 9][i % 9] = i * 7919;
    for (int i = 0; i < 16 * 97; i++)
      c[i] = i * 31;
    kernel(8, m, 97, a, (void *)b, (void *)c);
    unsigned long h = 1469598103934665603ul;
    for (int i = 0; i < 49 * 9; i++)
      h = (h ^ a[i / 9][i % 9]) * 1099511628211ul;
    for (int i = 0; i < 97 * 8; i++)
      h = (h ^ b[i]) * 1099511628211ul;
    for (int i = 0; i < 16 * 97; i++)
      h = (h ^ c[i]) * 1099511628211ul;
    printf("%016lx\n", h);
  }
}
