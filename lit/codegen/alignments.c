// Alignments of sequences as they are written: a store in each arm of a branch, borders inside the loops or beside them, several tables,
// elements that one arm reads only. Stores of all arms are one store of a choice (merge_arms), choices whose arms may be computed are
// selections (if_converted), and statements of one point run one after the other in the lanes of a diagonal.
// RUN: env "POLYTILE=dump=ast;only=lcs" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: env "POLYTILE=dump=ast;only=affine" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: env "POLYTILE=dump=ast;only=warp" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: env "POLYTILE=dump=ast;only=traced" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: env "POLYTILE=dump=ast;only=partly" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=NONE
// AST: // diagonal of
// NONE-NOT: // diagonal of
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=1;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.auto && %t.auto | cmp - %t.expected
// RUN: env "POLYTILE=min-work=1" %clang -O3 -march=x86-64 -DMAIN %s -o %t.narrow && %t.narrow | cmp - %t.expected
#include <stdint.h>
#define NI __attribute__((noinline))

NI int lcs(const char *s, const char *t, int n, int m, int *l) {
  int w = m + 1;
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      if (i == 0 || j == 0)
        l[i * w + j] = 0;
      else if (s[i - 1] == t[j - 1])
        l[i * w + j] = l[(i - 1) * w + j - 1] + 1;
      else {
        int up = l[(i - 1) * w + j], left = l[i * w + j - 1];
        l[i * w + j] = up > left ? up : left;
      }
    }
  return l[n * w + m];
}

// Three tables, and the best score of all.
NI int affine(const char *s, const char *t, int n, int m, int *h, int *e, int *f) {
  int best = 0, w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int longer = e[i * w + j - 1] - 1, opened = h[i * w + j - 1] - 6;
      e[i * w + j] = longer > opened ? longer : opened;
      longer = f[(i - 1) * w + j] - 1, opened = h[(i - 1) * w + j] - 6;
      f[i * w + j] = longer > opened ? longer : opened;
      int score = h[(i - 1) * w + j - 1] + (s[i - 1] == t[j - 1] ? 5 : -4);
      score = score < 0 ? 0 : score;
      score = score < e[i * w + j] ? e[i * w + j] : score;
      score = score < f[i * w + j] ? f[i * w + j] : score;
      h[i * w + j] = score;
      best = best < score ? score : best;
    }
  return best;
}

// Floating point, and an intrinsic.
NI float warp(const float *x, const float *y, int n, int m, float *d) {
  int w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      float up = d[(i - 1) * w + j], left = d[i * w + j - 1], both = d[(i - 1) * w + j - 1];
      float least = up < left ? up : left;
      least = least < both ? least : both;
      d[i * w + j] = __builtin_fabsf(x[i - 1] - y[j - 1]) + least;
    }
  return d[n * w + m];
}

// Two tables in each of three arms.
NI void traced(const int8_t *s, const int8_t *t, int n, int m, int32_t *l, int32_t *from) {
  int w = m + 1;
  for (int j = 0; j <= m; j++)
    l[j] = 0;
  for (int i = 1; i <= n; i++)
    l[i * w] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1]) {
        l[i * w + j] = l[(i - 1) * w + j - 1] + 1;
        from[i * w + j] = 0;
      } else if (l[(i - 1) * w + j] >= l[i * w + j - 1]) {
        l[i * w + j] = l[(i - 1) * w + j];
        from[i * w + j] = 1;
      } else {
        l[i * w + j] = l[i * w + j - 1];
        from[i * w + j] = 2;
      }
    }
}

// An arm is missing: the old element stays in some iterations.
NI void partly(const char *s, const char *t, int n, int m, int *l) {
  int w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1])
        l[i * w + j] = l[(i - 1) * w + j - 1] + 1;
      else if (l[(i - 1) * w + j] > 7)
        l[i * w + j] = l[i * w + j - 1] - 3;
    }
}

// Nothing but one arm reads the first element of all: it may be where nobody may read.
NI void corner(const char *s, const char *t, int n, int m, int *l) {
  int w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int up = l[(i - 1) * w + j], left = l[i * w + j - 1];
      l[i * w + j] = s[i - 1] == t[j - 1] ? l[(i - 1) * w + j - 1] + 1 : up > left ? up : left;
    }
}
#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
enum { MOST = 300, CELLS = (MOST + 1) * (MOST + 10) };
static int a[CELLS], b[CELLS], c[CELLS];
static float d[CELLS], x[MOST + 9], y[MOST + 9];
static char s[MOST + 9], t[MOST + 9];

static void fill(int seed) {
  for (int i = 0; i < CELLS; i++) {
    a[i] = i * 7 % (11 + seed), b[i] = i * 5 % 13 - 9, c[i] = i % 5 - 7;
    d[i] = i % 31 * 0.37f;
  }
  for (int i = 0; i < MOST + 9; i++) {
    s[i] = "ACGT"[(i * 7 + i / 3) % 4], t[i] = "ACGT"[(i * 5 + i / 7) % 4];
    x[i] = i * 3 % 17 * 0.21f, y[i] = i * 5 % 19 * 0.4f;
  }
}

static void print(const char *name, int n, int m, int result) {
  uint64_t hash = 7;
  for (int i = 0; i < CELLS; i++)
    hash = hash * 31 + (uint32_t)a[i] + 3 * (uint32_t)b[i] + 5 * (uint32_t)c[i] + (uint32_t)(d[i] * 64);
  printf("%s %d %d: %d %llx\n", name, n, m, result, (unsigned long long)hash);
}

int main(void) {
  const int sizes[] = {1, 2, 7, 16, 17, 31, 64, 97, 300};
  for (int k = 0; k < 9; k++) {
    int n = sizes[k], m = n + k;
    fill(k), print("lcs", n, m, lcs(s, t, n, m, a));
    fill(k), print("affine", n, m, affine(s, t, n, m, a, b, c));
    fill(k), print("warp", n, m, (int)warp(x, y, n, m, d));
    fill(k), traced((int8_t *)s, (int8_t *)t, n, m, a, b), print("traced", n, m, 0);
    fill(k), partly(s, t, n, m, a), print("partly", n, m, 0);
    fill(k), corner(s, t, n, m, a), print("corner", n, m, 0);
  }
  long page = sysconf(_SC_PAGESIZE), bytes = CELLS * sizeof(int) / page * page + page;
  char *closed = mmap(0, page + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(closed, page, PROT_NONE);
  int *l = (int *)(closed + page) - 1;
  s[0] = 'A', t[0] = 'C';
  corner(s, t, MOST, MOST, l);
  printf("%d\n", l[MOST * (MOST + 1) + MOST]);
}
#endif
