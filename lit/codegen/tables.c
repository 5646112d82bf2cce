// Rows that lie over the table of their own pointers: bytes that the nest stores are pointers that it loads later. Here they say what they
// said, but for one that turns to another row.
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -fopenmp -g1 -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 %t
#include <string.h>

// CHECK: tables.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void copy(unsigned char **to, unsigned char *from, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[i][j] = from[j];
}

enum { ROWS = 40, ROW = 8 * ROWS };
static union {
  unsigned char *table[ROWS];
  unsigned char row[ROWS][ROW];
} memory;
static unsigned char *image[ROWS], last[ROW];

int main(void) {
  // Row 0 is the table. The image of it says the same but for the last row, which is elsewhere.
  for (int i = 0; i < ROWS; i++)
    image[i] = memory.table[i] = memory.row[i];
  image[ROWS - 1] = last;
  copy(memory.table, (unsigned char *)image, ROWS, ROW);
  return memcmp(last, image, ROW) || !memcmp(memory.row[ROWS - 1], image, ROW);
}
