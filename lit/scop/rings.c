// Neighbours on a ring: subscripts that choose by a comparison, and remainders by the number of elements that go around once or twice.
// Statements are split for the parts of their iterations in which it is known what is chosen.
// RUN: %clang -O2 -g1 -Rpass-analysis=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=stop-after=scop;dump=scop;only=remainders" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: %plainclang -O1 -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;tile-sizes=3,2,5;verify=on" %clang -O2 -march=native -ffp-contract=off -DMAIN %s -o %t.small && %t.small | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;fusion=max;tile-sizes=4;verify=on" %clang -O1 -ffp-contract=off -DMAIN %s -o %t.max && %t.max | cmp - %t.expected

// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, {{[0-9]}} loops; argument 4 of choices[][]
void choices(int n, int steps, double (*restrict a)[100], double (*restrict b)[100]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = b[i == n - 1 ? 0 : i + 1][j] + 0.5 * b[i == 0 ? n - 1 : i - 1][j] + b[i][j == n - 1 ? 0 : j + 1] - b[i][j == 0 ? n - 1 : j - 1];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        b[i][j] = 0.25 * a[i][j];
  }
}

// CHECK: rings.c:[[@LINE+5]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops; argument 3 of remainders[][]
// SCOP: assume in-bounds { : pt0_0 <= 100 }
// SCOP: read { S{{[0-9]+}}[i0, i1] -> M{{.*}}[1 + i0, i1] }
// SCOP: read { S{{[0-9]+}}[i0, i1] -> M{{.*}}[-1 + i0, i1] }
void remainders(int n, double (*restrict a)[100], double (*restrict b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[(i + 1) % n][j] * 3 + b[(i + n - 1) % n][j] + b[i][(j + 2) % n] + b[i][(j + n - 1) % n];
}

// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops;
void without_sign(unsigned n, double (*restrict a)[100], double (*restrict b)[100]) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      a[i][j] += b[(i + 1) % n][j] - b[(i + n - 1) % n][(j + 1) % n];
}

// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops;
void by_hand(int n, double (*restrict a)[100], double (*restrict b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int up = i + 1, down = i - 1;
      if (up == n)
        up = 0;
      if (down < 0)
        down = n - 1;
      a[i][j] = b[up][j] - b[down][j];
    }
}

// Rows of a run-time length.
// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops; argument 4 of rows[][]
void rows(long n, long m, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = b[(i == n - 1 ? 0 : i + 1) * m + j] - b[(i == 0 ? n - 1 : i - 1) * m + j];
}

// In place: each row takes what the row before it has become, the first one the last.
// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops;
void in_place(int n, double (*restrict a)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 0.5 * a[(i + n - 1) % n][j] + 0.25 * a[i][j];
}

// Two conditions, and a choice of what is written.
// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops;
void targets(int n, int k, double (*restrict a)[100], double (*restrict b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i > k && i < 2 * k ? 2 * n - i : i][j] += b[i][j > 5 || i == k ? j : n - 1 - j] + i;
}

// The last one reaches twice the number of elements.
// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops; argument 3 of twice[][]
void twice(int w, int h, const double *restrict b, double *restrict a) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y * w + x] = b[(y + 1 + h) % h * w + (x + 1 + w) % w] + .5 * b[(y - 1 + h) % h * w + (x + w) % w] - b[(y + h) % h * w + (x - 1 + w) % w];
}

// The same in unsigned arithmetic, and two steps at a time.
void two_steps(unsigned n, const double *restrict b, double *restrict a) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      a[i * n + j] = b[(i + n + 2) % n * n + j] + b[(i + n - 2) % n * n + (j + n + n - 1) % n];
}

// Remainders towards zero, of a neighbour that may lie in front of the first one: it is negative, and one round is added.
static int wrapped(int i, int n) {
  return (i % n + n) % n;
}
static int brought_back(int i, int n) {
  int rest = i % n;
  return rest < 0 ? rest + n : rest;
}
// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops; argument 3 of torus[][]
void torus(int h, int w, const double *restrict b, double *restrict a) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y * w + x] = b[wrapped(y - 1, h) * w + x] + .5 * b[wrapped(y + 1, h) * w + wrapped(x - 2, w)] - b[y * w + wrapped(x + 1, w)];
}
// CHECK: rings.c:[[@LINE+2]]:3: remark: static control part: {{[0-9]+}} statements, 2 loops; argument 3 of ring[][]
void ring(int h, int w, const double *restrict b, double *restrict a) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y * w + x] = b[brought_back(y - 1, h) * w + brought_back(x - 1, w)] + .5 * b[brought_back(y + 1, h) * w + brought_back(x + 1, w)];
}

// What goes around more often is no choice between three.
// CHECK: rings.c:[[@LINE+2]]:3: remark: loop in no static control part: a subscript of 'argument 3 of often' is not affine
void often(int n, double (*restrict a)[100], double (*restrict b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[(5 * i) % n][j];
}
#ifdef MAIN
#include <stdio.h>
static double a[200][100], b[200][100];
static void fill(int n) {
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 100; j++) {
      a[i][j] = (i * 31 + j * 7 + n) % 53 * 0.5;
      b[i][j] = (i * 17 + j * 13 + n) % 59 * 0.25;
    }
}
static void show(const char *name, int n) {
  double s = 0;
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 100; j++)
      s = s * 0.999 + a[i][j] + 3 * b[i][j];
  printf("%s %d %a\n", name, n, s);
}
int main(void) {
  int sizes[] = {0, 1, 2, 3, 4, 7, 40, 61};
  for (int k = 0; k < 8; k++) {
    int n = sizes[k];
    fill(n), choices(n, 3, a, b), show("choices", n);
    fill(n), remainders(n, a, b), show("remainders", n);
    fill(n), without_sign(n, a, b), show("without_sign", n);
    fill(n), by_hand(n, a, b), show("by_hand", n);
    fill(n), rows(n, 2 * n + 1 < 100 ? 2 * n + 1 : 100, &a[0][0], &b[0][0]), show("rows", n);
    fill(n), in_place(n, a), show("in_place", n);
    fill(n), targets(n, n / 3, a, b), show("targets", n);
    fill(n), often(n, a, b), show("often", n);
    fill(n), twice(n, 61 - n, &b[0][0], &a[0][0]), show("twice", n);
    fill(n), twice(2 * n, n, &b[0][0], &a[0][0]), show("twice", n);
    fill(n), torus(n, 61 - n, &b[0][0], &a[0][0]), show("torus", n);
    fill(n), torus(2 * n, n, &b[0][0], &a[0][0]), show("torus", n);
    fill(n), ring(n, 61 - n, &b[0][0], &a[0][0]), show("ring", n);
    fill(n), ring(2 * n, n, &b[0][0], &a[0][0]), show("ring", n);
    fill(n), two_steps(n, &b[0][0], &a[0][0]), show("two steps", n);
  }
}
#endif
