// Rows behind tables of tables: each pointer on the way is read only where the program reads it. Tables and rows lie between pages that nobody
// may touch, and have what the program accesses of them and nothing else: no corners of a stencil, of each plane a triangle.
// RUN: env POLYTILE='min-work=0;verify=on' %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=3 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// The new versions run, but where a row is one of two planes.
// RAN-COUNT-4: new version 3 ({{.*}}), original 0
// RAN: new version 3 ({{.*}}), original 6; rows behind pointers that are not apart
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t 2>&1 >/dev/null | FileCheck %s --check-prefix=RAN
// Where rows are too short, looking at each of them takes longer than the nest.
// RUN: %clang -O3 -march=native -fopenmp %s -DSHORT -o %t.short
// RUN: env POLYTILE_VERBOSE=1 %t.short 2>&1 >/dev/null | FileCheck %s --check-prefix=SHORT
// SHORT: products: new version 0 ({{.*}}), original 1; {{.*}}work: 1
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#define OWN __attribute__((noinline))
enum { PAGE = 4096 };

// CHECK-DAG: tables-of-tables.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void smooth(int n, int m, int l, double ***a, double ***b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < l - 1; k++)
        b[i][j][k] = .5 * a[i][j][k] + .1 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1]);
}

// CHECK-DAG: tables-of-tables.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
OWN void products(int n, int m, double ***a, double ***b, double ***c) {
  for (int q = 0; q < n; q++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++)
          c[q][i][j] += a[q][i][k] * b[q][k][j];
}

// CHECK-DAG: tables-of-tables.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void triangles(int n, double ***a, double ***b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++)
        b[i][j][k] += 2 * a[i][j][k];
}

// CHECK-DAG: tables-of-tables.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void layer(int n, int m, int l, double ***out, double ***in, double ****w) {
  for (int o = 0; o < n; o++)
    for (int y = 0; y < m; y++)
      for (int x = 0; x < l; x++) {
        double sum = 0;
        for (int c = 0; c < n; c++)
          for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 2; dx++)
              sum += w[o][c][dy][dx] * in[c][y + dy][x + dx];
        out[o][y][x] = sum;
      }
}

// CHECK-DAG: tables-of-tables.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}
OWN void add(int n, int m, int l, double ***a) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        a[i][j][k] += a[i - 1][j][k];
}

// Words, the last one in front of a page that nobody may touch, or the first one behind one.
static void *words(size_t count, int at_end) {
#ifdef SHORT
  return malloc(count * 8 + at_end);
#endif
  size_t bytes = count * 8, room = (bytes + PAGE - 1) / PAGE * PAGE;
  char *all = mmap(0, room + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(all + PAGE, room, PROT_READ | PROT_WRITE);
  return all + PAGE + (at_end ? room - bytes : 0);
}

static double *row(size_t count, int at_end) {
  double *all = words(count, at_end);
  for (size_t k = 0; k < count; k++)
    all[k] = k * 7 % 13 * .25 + at_end;
  return all;
}

static double ***box(int n, int m, int l, int (*has)(int n, int m, int i, int j), int (*length)(int l, int j)) {
  double ***a = words(n, 1);
  for (int i = 0; i < n; i++) {
    int lo = m, hi = -1;
    for (int j = 0; j < m; j++)
      if (has(n, m, i, j))
        lo = lo < j ? lo : j, hi = j;
    a[i] = (double **)words(hi - lo + 1, i % 2) - lo;
    for (int j = lo; j <= hi; j++)
      a[i][j] = row(length(l, j), j % 2);
  }
  return a;
}

static int all(int n, int m, int i, int j) { return n + m + i + j > 0; }
static int cross(int n, int m, int i, int j) { return (i > 0 && i < n - 1) || (j > 0 && j < m - 1); }
static int half(int n, int m, int i, int j) { return n + m > 0 && j <= i; }
static int whole(int l, int j) { return j < 0 ? 0 : l; }
static int shorter(int l, int j) { return l < 0 ? 0 : j + 1; }

static void print(int n, int m, double ***a, int (*has)(int n, int m, int i, int j), int (*length)(int l, int j), int l) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (has(n, m, i, j))
        for (int k = 0; k < length(l, j); k++)
          sum = sum * .75 + a[i][j][k];
  printf("%a\n", sum);
}

int main(void) {
#ifdef SHORT
  static const volatile int n = 20000, m = 4;
  double ***x = box(n, m, m, all, whole);
  products(n, m, x, x, x);
  print(n, m, x, all, whole, m);
#else
  static const volatile int sizes[][3] = {{5, 6, 9}, {4, 33, 17}, {19, 23, 40}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2];
    double ***a = box(n, m, l, cross, whole), ***b = box(n, m, l, all, whole);
    smooth(n, m, l, a, b);
    print(n, m, b, all, whole, l);
    double ***x = box(n, m, m, all, whole), ***y = box(n, m, m, all, whole), ***z = box(n, m, m, all, whole);
    products(n, m, x, y, z);
    print(n, m, z, all, whole, m);
    double ***t = box(m, m, m, half, shorter), ***u = box(m, m, m, half, shorter);
    triangles(m, t, u);
    print(m, m, u, half, shorter, m);
    double ***in = box(n, m + 2, l + 1, all, whole), ****w = words(n, 1);
    for (int o = 0; o < n; o++)
      w[o] = box(n, 3, 2, all, whole);
    layer(n, m, l, b, in, w);
    print(n, m, b, all, whole, l);
    add(n, m, l, b);
    print(n, m, b, all, whole, l);
    b[1][1] = b[0][1];
    add(n, m, l, b);
    b[2] = b[0];
    add(n, m, l, b);
    print(n, m, b, all, whole, l);
  }
#endif
}
