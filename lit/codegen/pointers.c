// Rows behind pointers: the new version runs where they lie at one distance, whatever allocated them; where they are shuffled, reversed, shared,
// overlap each other or the table, the original does. Nothing of a table is read that the program does not read.
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=3 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// The same code each time, wherever the compiler's own memory lies.
// RUN: %clang -O3 -march=native -fopenmp -S %s -o %t.first
// RUN: %clang -O3 -march=native -fopenmp -S %s -o %t.second
// RUN: %clang -O3 -march=native -fopenmp -S %s -o %t.third
// RUN: cmp %t.first %t.second && cmp %t.second %t.third
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define OWN __attribute__((noinline))

// CHECK-DAG: pointers.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void product(double **a, double **b, double **c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-DAG: pointers.c:[[@LINE+3]]:5: remark: loop nest transformed: {{.*}} vector loop
OWN void heat(double **a, double **b, double **c, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j]) / 4;
    double **old = a;
    a = b;
    b = old;
  }
}

// CHECK-DAG: pointers.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void factor(double **a, double **b, double **c, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k] + 5;
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

struct matrix {
  double **rows;
  int n;
};
// CHECK-DAG: pointers.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void squares(struct matrix *a, struct matrix *c) {
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < c->n; j++)
      for (int k = 0; k < a->n; k++)
        c->rows[i][j] += a->rows[i][k] * a->rows[k][j];
}
OWN void held(double **a, double **b, double **c, int n) {
  struct matrix x = {a, n}, y = {c, n};
  squares(&x, &y);
}

struct line {
  int length;
  double *cells;
  int used;
};
// Only every other entry, and not the first.
// CHECK-DAG: pointers.c:[[@LINE+2]]:3: remark: loop nest transformed
OWN void every_other(struct line *a, struct line *c, int n) {
  for (int i = 1; i < n; i += 2)
    for (int j = 0; j < n; j++)
      c[i].cells[j] = 2 * a[i].cells[j] + 1;
}
OWN void lines(double **a, double **b, double **c, int n) {
  struct line *x = calloc(2 * n + 1, sizeof *x), *y = x + n;
  for (int i = 0; i < n; i++)
    x[i].cells = a[i], y[i].cells = c[i];
  every_other(x, y, n);
  free(x);
}

// Bytes may be stored over the tables.
// CHECK-DAG: pointers.c:[[@LINE+2]]:3: remark: loop nest transformed
OWN void blur(unsigned char **from, unsigned char **to, int n) {
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++)
      to[y][x] = (from[y - 1][x] + 2 * from[y][x] + from[y + 1][x]) / 4;
}

enum layout { BLOCK, WIDE, REVERSED, SHUFFLED, TWICE, OVERLAP, INTERLEAVED, SAME, LAST, LAYOUTS };
enum { MOST = 70, CELLS = 8 * MOST * MOST };
static double cells[CELLS];

// The last entry ends where memory does; in front of the first one there is none where the table begins with a page.
static void *table(int n, int first) {
  char *pages = mmap(0, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE);
  return first ? pages + 4096 - 8 * first : pages + 8192 - 8 * n;
}

static double **rows(enum layout layout, int n, int which) {
  double **a = table(n, 0), *own = cells + which * 2 * MOST * MOST;
  for (int i = 0; i < n; i++)
    switch (layout) {
    case BLOCK: a[i] = own + i * n; break;
    case WIDE: a[i] = own + i * (n + 5) + 3; break;
    case REVERSED: a[i] = own + (n - 1 - i) * n; break;
    case SHUFFLED: a[i] = own + (i * 7 + 3) % n * n; break;
    case TWICE: a[i] = own + (i == n - 1 ? n / 2 : i) * n; break;
    case OVERLAP: a[i] = own + i * (n - 1); break;
    case INTERLEAVED: a[i] = cells + (3 * i + which) * n; break;
    case SAME: a[i] = own; break;
    default: a[i] = own + i * n + (i == n - 1 ? n : 0); break;
    }
  return a;
}

static unsigned long hash(const void *p, long bytes) {
  unsigned long h = 0;
  for (long i = 0; i < bytes; i++)
    h = h * 31 + ((const unsigned char *)p)[i];
  return h;
}

// Images of bytes; in the last case the rows that are written hold the table of the rows that are read, whose pointers then change: to
// rows that are there as well, because all that is stored is zero or what was there.
static void images(int n) {
  static unsigned char plane[4 * MOST * MOST] __attribute__((aligned(8)));
  for (int where = 0; where < 4; where++) {
    for (int i = 0; i < (int)sizeof plane; i++)
      plane[i] = i * i % 251;
    unsigned char **from = table(n, 1), **to = table(n, 0);
    for (int y = 0; y < n; y++) {
      if (y)
        from[y] = plane + y * n;
      to[y] = plane + (where == 1 ? n : 2 * n * n) + y * (n + where);
    }
    blur(from + 1, to, n - 1);
    printf("%016lx\n", hash(plane, sizeof plane));
  }
}

int main(void) {
  void (*all[])(double **, double **, double **, int) = {product, heat, factor, held, lines};
  int sizes[] = {1, 2, 3, 7, 19, 65};
  for (int s = 0; s < 6; s++)
    for (int layout = 0; layout < LAYOUTS; layout++)
      for (int f = 0; f < 5; f++) {
        for (int i = 0; i < CELLS; i++)
          cells[i] = i * 7 % 31 - 9;
        int n = sizes[s];
        double **a = rows(layout, n, 0), **b = rows(layout, n, 1), **c = rows(layout, n, 2);
        all[f](a, b, c, n);
        printf("%d %d %d %016lx\n", n, layout, f, hash(cells, sizeof cells));
      }
  for (int s = 3; s < 6; s++)
    images(sizes[s]);
  return 0;
}
