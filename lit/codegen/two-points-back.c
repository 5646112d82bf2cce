// Lanes along diagonals that take what they computed two points back, and not the point before: the last lane has no lane behind it that would say what
// was there when the strip began.
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.all
// RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
#include <stdio.h>
enum { N = 70, M = 290 };
static double d[N][M];
static int e[N][M];

__attribute__((noinline)) void next_lane(int n, int m) {
  for (int i = 3; i < n; i++)
    for (int j = 3; j < m - 3; j++)
      d[i][j] = d[i - 1][j + 1] + d[i][j - 2];
}

__attribute__((noinline)) void same_column(int n, int m) {
  for (int i = 3; i < n; i++)
    for (int j = 3; j < m; j++)
      e[i][j] = e[i - 1][j] ^ 3 * e[i][j - 2];
}

__attribute__((noinline)) void both(int n, int m) {
  for (int i = 3; i < n; i++)
    for (int j = 3; j < m; j++)
      e[i][j] = (e[i - 1][j] ^ e[i][j - 2]) + (e[i][j - 1] & 255);
}

static void fill(void) {
  unsigned x = 7;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      x = x * 1664525u + 1013904223u;
      d[i][j] = x >> 29, e[i][j] = (int)(x >> 20);
    }
}

static unsigned hash(const unsigned char *bytes, unsigned n) {
  unsigned hash = 0;
  for (unsigned i = 0; i < n; i++)
    hash = hash * 31u + bytes[i];
  return hash;
}

static void show(void) { printf("%u %u\n", hash((unsigned char *)d, sizeof d), hash((unsigned char *)e, sizeof e)); }

int main(void) {
  int sizes[][2] = {{N, M}, {19, 40}, {18, 20}, {35, 19}, {4, 9}};
  for (int k = 0; k < 5; k++) {
    int n = sizes[k][0], m = sizes[k][1];
    fill(), next_lane(n, m), show();
    fill(), same_column(n, m), show();
    fill(), both(n, m), show();
  }
}
