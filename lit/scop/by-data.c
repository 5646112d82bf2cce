// Branches by data: stores become may-writes, values that merge choices, and what is under a condition is done where it holds
// only. Pages that the program does not touch cannot be read or written here, and divisors are zero where it does not divide.
// RUN: env 'POLYTILE=dump=scop;stop-after=scop' %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;tile-sizes=3;verify=on" %clang -O2 -DMAIN %s -o %t.small && %t.small | cmp - %t.expected
#define NOINLINE __attribute__((noinline))

// CHECK-LABEL: function "above"
// CHECK: stmt S0
// CHECK: may-write { S0[i0, i1] -> [[OUT:.*]][i0, i1] }
// CHECK: read {{.*}} -> [[OUT]][i0, i1] }
// CHECK: fcmp
// CHECK: op {{.*}} choose
NOINLINE void above(long n, long m, double (*restrict out)[m], double (*restrict in)[m], double (*restrict by)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (in[i][j] > 1)
        out[i][j] = in[i][j] / by[i][j];
}

// A store on either side: one value, chosen.
// CHECK-LABEL: function "upwind"
// CHECK: write {
// CHECK-NOT: may-write
// CHECK: choose
// CHECK-NOT: stmt S1
NOINLINE void upwind(long n, long m, double (*restrict out)[m], double (*restrict in)[m]) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++) {
      double slope;
      if (in[i][j] > 0)
        slope = in[i][j] * (in[i][j] - in[i - 1][j]);
      else
        slope = in[i][j] * (in[i + 1][j] - in[i][j]);
      out[i][j] = slope;
    }
}

// The second condition reads what the first store may have overwritten.
// CHECK-LABEL: function "both"
// CHECK-COUNT-2: may-write
NOINLINE void both(long n, long m, int (*restrict a)[m], int (*restrict count)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (a[i][j] > 5) {
        a[i][j] -= 5;
        count[i][j]++;
      }
}

// CHECK-LABEL: function "life"
// CHECK-COUNT-2: choose
NOINLINE void life(long n, long m, unsigned char (*restrict next)[m], unsigned char (*restrict now)[m]) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++) {
      int c = now[i - 1][j - 1] + now[i - 1][j] + now[i - 1][j + 1] + now[i][j - 1] + now[i][j + 1] + now[i + 1][j - 1] +
              now[i + 1][j] + now[i + 1][j + 1];
      next[i][j] = c == 3 || (c == 2 && now[i][j]);
    }
}

// CHECK-LABEL: function "cases"
// CHECK: may-write
NOINLINE void cases(long n, long m, int (*restrict a)[m], int (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      switch (b[i][j] & 7) {
      case 0: a[i][j] = b[i][j]; break;
      case 1: a[i][j] += 3; break;
      case 5: break;
      case 6: a[i][j] ^= b[i][j] * (int)i; break;
      default: a[i][j] = (int)j;
      }
}

// CHECK-LABEL: function "skipping"
// CHECK: may-write
NOINLINE void skipping(long n, long m, int (*restrict a)[m], int (*restrict b)[m], int (*restrict d)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      if (!d[i][j])
        continue;
      int q = b[i][j] / d[i][j];
      if (i > 0 && q < 3)
        q += b[i - 1][j];
      else if (q & 1)
        continue;
      a[i][j] += q;
    }
}

// Squares with two odd coordinates, by a condition that is not affine.
// CHECK-LABEL: function "colour"
// CHECK: may-write
NOINLINE void colour(long n, long m, double (*a)[m], long c) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      if (((i & j) & 1) == c)
        a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
enum { PAGE = 4096, ROW = PAGE / sizeof(double) };
static unsigned hash = 1;
static void add(const void *p, unsigned long bytes) {
  for (unsigned long b = 0; b < bytes; b++)
    hash = (hash ^ ((const unsigned char *)p)[b]) * 16777619u;
}
static unsigned draw(void) {
  static unsigned state = 1;
  return (state = state * 1664525u + 1013904223u) >> 8;
}
static void pages(void) {
  enum { ROWS = 9 };
  char *all = mmap(0, 3 * ROWS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double(*in)[ROW] = (void *)all, (*out)[ROW] = (void *)(all + ROWS * PAGE), (*by)[ROW] = (void *)(all + 2 * ROWS * PAGE);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROW; j++)
      in[i][j] = i % 3 == 1 ? 0 : draw() % 5, by[i][j] = in[i][j] > 1 ? 3 : 0, out[i][j] = j;
  for (int i = 1; i < ROWS; i += 3) {
    mprotect(out[i], PAGE, PROT_READ);
    mprotect(by[i], PAGE, PROT_NONE);
  }
  above(ROWS, ROW, out, in, by);
  add(out, ROWS * PAGE);
}
int main(void) {
  pages();
  static const long sizes[] = {0, 1, 2, 3, 7, 19, 66, 131};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    long n = sizes[s], m = sizes[(s + 3) % 8] + 1, k = n * m + 1;
    double *x = malloc(k * 8), *y = malloc(k * 8);
    int *a = malloc(k * 4), *b = malloc(k * 4), *c = malloc(k * 4);
    unsigned char *u = malloc(k), *v = malloc(k);
    for (long i = 0; i < k; i++) {
      x[i] = (int)(draw() % 9) - 4, y[i] = (int)(draw() % 9) - 4;
      a[i] = (int)(draw() % 40) - 20, b[i] = (int)(draw() % 40) - 20, c[i] = (int)(draw() % 3) - 1;
      u[i] = draw() % 2, v[i] = draw() % 2;
    }
    upwind(n, m, (void *)x, (void *)y);
    colour(n, m, (void *)y, 1);
    both(n, m, (void *)a, (void *)b);
    cases(n, m, (void *)b, (void *)a);
    skipping(n, m, (void *)a, (void *)b, (void *)c);
    life(n, m, (void *)u, (void *)v);
    add(x, k * 8), add(y, k * 8), add(a, k * 4), add(b, k * 4), add(u, k);
    free(x), free(y), free(a), free(b), free(c), free(u), free(v);
  }
  printf("%u\n", hash);
}
#endif
