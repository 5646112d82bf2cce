// The mappings of Kelly and Pugh (1995, Fig. 1 and section 5) on their five programs: every byte is what it is without them. Counters
// are those of the model, which begin at 0.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: env "POLYTILE=min-work=0;script=%t/maps.pt" %clang -O2 -g1 %t/maps.c -o %t/mapped 2> %t/printed
// RUN: FileCheck --check-prefix=PRINTED %s < %t/printed
// RUN: %plainclang -O2 %t/maps.c -o %t/plain
// RUN: %t/mapped > %t/mapped.out && %t/plain > %t/plain.out && cmp %t/mapped.out %t/plain.out
//
// What is parallel, loop by loop.
// PRINTED: [0,0,0,0,0] parallel
// PRINTED-NEXT: [0] parallel
// PRINTED-NEXT: [0,0] parallel
// PRINTED-NEXT: [0,0,0] sequential
// PRINTED-NEXT: [0] parallel
// PRINTED-NEXT: [1] sequential
// PRINTED-NEXT: [1,0] parallel
// PRINTED-NEXT: [0] parallel
// PRINTED-NEXT: [0,0] sequential
// PRINTED-NEXT: [0,0,0] parallel

//--- maps.c
#include <stdio.h>
#include <string.h>
enum { MAX = 130 };
static double a[MAX][MAX], b[MAX], sum[MAX], x[MAX][MAX], v[MAX][MAX], r[MAX][MAX], A[MAX][MAX], B[MAX][MAX], C[MAX][MAX];
#define KERNEL __attribute__((noinline))

KERNEL void elimination(int n, double a[restrict MAX][MAX]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[k][j] * a[i][k];
    }
}

KERNEL void lu(int n, double a[restrict MAX][MAX]) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int j = k + 1; j < n; j++)
      for (int i = k + 1; i < n; i++)
        a[i][j] -= a[k][j] * a[i][k];
  }
}

KERNEL void olda(int np, int morb, double x[restrict MAX][MAX], double r[restrict MAX][MAX], double v[restrict MAX][MAX]) {
  for (int p = 0; p < np; p++)
    for (int q = 0; q <= p; q++)
      for (int i = 0; i < morb; i++) {
        x[i][q] += r[p][q] * v[p][i];
        x[i][p] += r[p][q] * v[q][i];
      }
}

KERNEL void chosol(int n, double a[restrict MAX][MAX], double b[restrict MAX], double sum[restrict MAX]) {
  for (int i = 1; i < n; i++) {
    sum[i] = 0;
    for (int j = 0; j < i; j++)
      sum[i] += a[j][i] * b[j];
    b[i] -= sum[i];
  }
}

KERNEL void banded(int n, int w, double A[restrict MAX][MAX], double B[restrict MAX][MAX], double C[restrict MAX][MAX]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < (i + 2 * w - 1 < n ? i + 2 * w - 1 : n); j++)
      for (int k = j - w + 1 > 0 ? j - w + 1 : 0; k < (i + w < n ? i + w : n); k++)
        C[i][j - i] += 1.5 * A[k][i - k + w] * B[k][j - k + w] + 1.5 * A[k][j - k + w] * B[k][i - k + w];
}

static void fill(int seed) {
  for (int i = 0; i < MAX; i++) {
    b[i] = (i + seed) % 7 + 0.25;
    for (int j = 0; j < MAX; j++) {
      a[i][j] = i == j ? 200 + i : ((i * 3 + j * 5 + seed) % 11) / 8.0;
      x[i][j] = (i + j) % 5, v[i][j] = (i * j + 1) % 9 / 3.0, r[i][j] = (i + 2 * j) % 13 / 7.0;
      A[i][j] = (i + 2 * j) % 9 / 5.0, B[i][j] = (2 * i + j) % 8 / 3.0, C[i][j] = 0;
    }
  }
}

static unsigned long long hash;
static void take(const void *p, unsigned long bytes) {
  for (const unsigned char *c = p; bytes--; c++)
    hash = (hash ^ *c) * 1099511628211u;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 63, 64, 65, 66, 127, 128, 129};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int n = sizes[s];
    fill(n);
    elimination(n, a);
    take(a, sizeof a);
    fill(n);
    lu(n, a);
    take(a, sizeof a);
    olda(n, n / 2 + 1, x, r, v);
    take(x, sizeof x);
    fill(n);
    chosol(n, a, b, sum);
    take(b, sizeof b);
    banded(n < 60 ? n : 60, n / 3 + 1 < 30 ? n / 3 + 1 : 30, A, B, C);
    take(C, sizeof C);
    printf("%d %llx\n", n, hash);
  }
}

//--- maps.pt
region elimination {
  mapping S0 { [k, i] -> [k + 1 + i, k, 1, 0] }
  mapping S1 { [k, i, j] -> [k + 1 + i, k + 1 + j, 0, k] }
}
region lu {
  mapping S0 { [k, i] -> [64*floor(k / 64) + 1, 64*floor((k + 2 + i) / 64), k, k, i] }
  mapping S1 { [k, j, i] -> [64*floor(k / 64) + 1, 64*floor((k + 2 + i) / 64), k + 1 + j, k, i] }
  print parallel
}
region olda {
  mapping S0 { [p, q, i] -> [i, q, p, 0] }
  mapping S1 { [p, q, i] -> [i, p, q, 1] }
  print parallel
}
region chosol {
  mapping S0 { [i] -> [0, i, 0, 0] }
  mapping S1 { [i, j] -> [1, j, 0, i] }
  mapping S2 { [i] -> [1, i, 1, 0] }
  print parallel
}
region banded {
  # k of the source is i2 + max(0, i + j - w + 1), where j is counted from i.
  mapping S0 { [i, j, k] -> [j, k + max(0, i + j - pt1_1 + 1) - i - j, k + max(0, i + j - pt1_1 + 1)] }
  print parallel
}
