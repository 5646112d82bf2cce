// The greatest of a window whose size is known at run time, and which is cut at the rim by comparisons without sign: neither these nor rows whose
// length is a constant ask for a size of nothing, and lanes go along rows, which are longer than windows.
// RUN: env "POLYTILE=dump=scop;only=greatest" %clang -O3 -march=x86-64-v3 -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=SCOP
// RUN: env "POLYTILE=dump=ast;only=greatest" %clang -O3 -march=x86-64-v3 -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// SCOP: assume non-empty {{.*}} : p{{[a-z0-9_]+}} >= 0 }
// AST: tile 1x{{[0-9]+}}x32 S1
#include <stdio.h>
__attribute__((noinline)) void greatest(const unsigned char *restrict from, unsigned char *restrict to, int r) {
  for (int y = 0; y < 48; y++)
    for (int x = 0; x < 640; x++) {
      unsigned char m = 0;
      for (int dy = -r; dy <= r; dy++) {
        int yy = y + dy;
        if (yy < 0 || yy >= 48)
          continue;
        for (int dx = -r; dx <= r; dx++) {
          int xx = x + dx;
          if (xx < 0 || xx >= 640)
            continue;
          unsigned char v = from[yy * 640 + xx];
          if (v > m)
            m = v;
        }
      }
      to[y * 640 + x] = m;
    }
}
static unsigned char from[48 * 640], to[48 * 640];
int main(void) {
  for (int i = 0; i < 48 * 640; i++)
    from[i] = i * 7919u >> 5;
  for (int r = -1; r < 60; r = 2 * r + 1 + (r < 0)) {
    unsigned h = r;
    greatest(from, to, r);
    for (int i = 0; i < 48 * 640; i++)
      h = h * 31 + to[i];
    printf("%d %u\n", r, h);
  }
}
