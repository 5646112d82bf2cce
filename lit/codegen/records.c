// Records with fields of several sizes: fields of different sizes never share a byte, so each size is an array of its own. Where they
// do (a union, an access in the middle of a field), the nest stays as it is.
// RUN: %clang -O2 -g1 -fno-discard-value-names -Rpass-missed=polytile -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <string.h>
#define NI __attribute__((noinline))
struct pair {
  double distance;
  int index;
};
struct cell {
  double v[3];
  int kind;
  short flags, pad;
};

// CHECK: scop "distances
// CHECK: array M{{[0-9]}}_p i32 memory [[P:v[0-9]+]] strides
// CHECK: array M{{[0-9]}}_p f64 memory [[P]] strides
NI void distances(struct pair *p, int n, int m, const double (*a)[3], const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < 3; k++)
        s += (a[i][k] - b[k]) * (a[i][k] + j);
      p[i * m + j].distance = s;
      p[i * m + j].index = j;
    }
}

// A field of another record decides: shifted and in place.
// CHECK: scop "marked
NI void marked(struct cell *c, int n) {
  for (int i = 1; i < n - 1; i++) {
    c[i].kind = c[i - 1].kind + (c[i + 1].v[1] > c[i].v[0]);
    c[i].flags = (short)(c[i + 1].flags + 3);
    c[i].v[2] = c[i].v[0] * 2 - c[i + 1].v[1];
  }
}

// Two halves of a number.
// CHECK: 'a' is accessed with elements of several sizes
NI void halves(double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unsigned low;
      memcpy(&low, (char *)(a + i * n + j) + 4, 4);
      a[i * n + j] = low * .5;
    }
}

// Steps that are no records: an element of four bytes in every sixth byte pair.
// CHECK: 'p' is accessed with elements of several sizes
NI void uneven(char *p, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int four = i * j;
      long eight = i - j;
      memcpy(p + 12 * (i * n + j), &four, 4);
      memcpy(p + 24 * (i * n + j) + 8, &eight, 8);
    }
}

#ifdef MAIN
#define N 60
static struct pair p[N * N];
static struct cell c[N * N];
static double a[N * N], b[3] = {.5, 2, -1};
static char bytes[24 * N * N + 64];
int main(void) {
  for (int n = 0; n <= N; n += n < 4 ? 1 : 14) {
    for (int i = 0; i < N * N; i++) {
      a[i] = i * 37 % 101 * .25;
      p[i] = (struct pair){-1, -1};
      c[i] = (struct cell){{i % 13, i % 7, 1}, i % 5, (short)i, 3};
    }
    memset(bytes, 1, sizeof bytes);
    distances(p, n, n, (const double(*)[3])a, b), marked(c, n * n), halves(a, n), uneven(bytes, n);
    double s = 0;
    for (int i = 0; i < N * N; i++)
      s = s * .75 + p[i].distance + p[i].index + c[i].kind + c[i].v[2] + c[i].flags * .5 + a[i];
    for (unsigned i = 0; i < sizeof bytes; i++)
      s = s * .75 + bytes[i];
    printf("%d %a\n", n, s);
  }
}
#endif
