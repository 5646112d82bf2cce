// Windows on a torus, written out by the compiler along a row: positions at which no element goes around are one part of a row, and its two rims are one
// each. A choice between constants is made in 64 bits and cut off (`x < 5 ? 2^32 - 5 : 635`): it is a choice between the numbers that are left.
// RUN: env "POLYTILE=dump=scop;only=counted" %clang -O3 -march=native -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK-DAG: 0 <= i1 <= 4 and
// CHECK-DAG: 635 <= i1 <= 639 and
// CHECK-DAG: 5 <= i1 <= 634 and
// CHECK-NOT: i1 = 4
#include <stdio.h>
enum { W = 640, H = 48, R = 5 };
typedef unsigned char cell;
static cell a[H][W], b[H][W];

__attribute__((noinline)) static void counted(cell (*restrict s)[W], cell (*restrict d)[W]) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int n = 0;
      for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++) {
          int yy = y + j, xx = x + i;
          if (yy < 0)
            yy += H;
          else if (yy >= H)
            yy -= H;
          if (xx < 0)
            xx += W;
          else if (xx >= W)
            xx -= W;
          n += s[yy][xx];
        }
      d[y][x] = n >= 34 && n <= (s[y][x] ? 58 : 45);
    }
}

int main(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      a[y][x] = (x * 7919u + y * 104729u) % 3 == 0;
  for (int g = 0; g < 3; g++) {
    counted(a, b);
    counted(b, a);
  }
  unsigned hash = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      hash = hash * 31 + a[y][x] + b[y][x] * 3u;
  printf("%u\n", hash);
}
