// A number that the program itself hands on to the next iteration is loaded again only where nothing has changed what it was loaded from.
// RUN: %plainclang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define NI __attribute__((noinline))
struct row {
  long length;
  double *of;
};

NI void kept(long n, long m, const struct row *restrict r, double *restrict out) {
  long before = r[0].length;
  for (long y = 1; y < n; y++) {
    for (long x = 0; x < m; x++) {
      if (x >= before)
        exit(3);
      out[y * m + x] = r[y].of[x] + r[y - 1].of[x];
    }
    before = r[y].length;
  }
}

NI void cleared(long n, long m, struct row *r, double *restrict out) {
  long before = r[0].length;
  for (long y = 1; y < n; y++) {
    for (long x = 0; x < m; x++) {
      if (x >= before)
        exit(3);
      out[y * m + x] = r[y].of[x];
    }
    before = r[y].length;
    r[y].length = y;
  }
}

NI void cleared_first(long n, long m, struct row *r, double *restrict out) {
  long before = r[0].length;
  r[0].length = 1;
  for (long y = 1; y < n; y++) {
    for (long x = 0; x < m; x++)
      out[y * m + x] = r[y].of[x] * before;
    before = r[y].length;
  }
}

NI void through_elements(long n, long m, struct row *r, long *out) {
  long before = r[0].length;
  for (long y = 1; y < n; y++) {
    for (long x = 0; x < m; x++)
      out[y * m + x] = x + before;
    before = r[y].length;
  }
}

int main(void) {
  static double elements[40][50], out[41 * 50];
  static struct row r[200];
  for (int y = 0; y < 40; y++) {
    r[y] = (struct row){50, elements[y]};
    for (int x = 0; x < 50; x++)
      elements[y][x] = (y * 7 + x * 3) % 23;
  }
  double s = 0;
  kept(40, 50, r, out);
  for (int i = 0; i < 40 * 50; i++)
    s += out[i] * (i % 7);
  printf("%g\n", s);
  cleared(40, 50, r, out);
  for (int i = 0; i < 40 * 50; i++)
    s += out[i] * (i % 5);
  for (int y = 0; y < 40; y++)
    s += r[y].length * y;
  printf("%g\n", s);
  cleared_first(40, 50, r, out);
  for (int i = 0; i < 40 * 50; i++)
    s += out[i] * (i % 3);
  printf("%g %ld\n", s, r[0].length);
  through_elements(9, 20, r, (long *)r + 2);
  for (int i = 0; i < 200; i++)
    s += (double)r[i].length * (i % 11);
  printf("%g\n", s);
}
