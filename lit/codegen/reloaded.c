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

// Beside a nest that is transformed, what was loaded again stays so.
NI void cleared_before(long n, long m, struct row *restrict r, double *restrict out, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < m; k++)
        out[i * m + j] += a[i * m + k] * b[k * m + j];
  long before = r[0].length;
  r[0].length = 1;
  for (long y = 0; y < n - 1; y++) {
    for (long x = 0; x < m; x++) {
      if (x >= before)
        exit(3);
      out[y * m + x] += r[y + 1].of[x];
    }
    before = r[y + 1].length;
  }
}

NI void cleared_behind(long n, long m, struct row *restrict r, double *restrict out, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < m; k++)
        out[i * m + j] += a[i * m + k] * b[k * m + j];
  long before = r[0].length;
  for (long y = 0; y < n - 1; y++) {
    r[y].length = 2;
    for (long x = 0; x < m; x++) {
      if (x >= before)
        exit(3);
      out[y * m + x] += r[y + 1].of[x];
    }
    before = r[y + 1].length;
  }
}

int main(void) {
  static double elements[40][50], out[41 * 50];
  static struct row r[200];
  static double a[50 * 50], b[50 * 50];
  for (int i = 0; i < 50 * 50; i++)
    a[i] = i % 13, b[i] = i % 17;
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
  for (int y = 0; y < 40; y++)
    r[y].length = 50;
  cleared_before(40, 50, r, out, a, b);
  for (int y = 0; y < 40; y++)
    r[y].length = 50;
  cleared_behind(40, 50, r, out, a, b);
  for (int i = 0; i < 40 * 50; i++)
    s += out[i] * (i % 9);
  printf("%g\n", s);
  through_elements(9, 20, r, (long *)r + 2);
  for (int i = 0; i < 200; i++)
    s += (double)r[i].length * (i % 11);
  printf("%g\n", s);
}
