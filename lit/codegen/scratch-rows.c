// Rows that each line fills before it reads them, in one block of memory that the program reads later. Its fields lie far apart and are no chain: in copies for each line
// loops along it would have no vectors.
// RUN: env "POLYTILE=dump=ast;only=sweep" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s --allow-empty
// RUN: %plainclang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 512 };

static struct {
  float slope[MOST], left[MOST], right[MOST], flux[MOST];
} work;

static float least(float a, float b) { return a * b <= 0 ? 0 : (fabsf(a) < fabsf(b) ? a : b); }

// CHECK-NOT: lanes
// CHECK-NOT: private
__attribute__((noinline)) void sweep(int n, int m, float *restrict q, float dt) {
  for (int y = 0; y < m; y++) {
    float *row = q + (size_t)y * n;
    for (int x = 1; x < n - 1; x++)
      work.slope[x] = least(row[x] - row[x - 1], row[x + 1] - row[x]);
    for (int x = 1; x < n - 1; x++) {
      work.left[x] = row[x] - .5f * work.slope[x];
      work.right[x] = row[x] + .5f * work.slope[x];
    }
    for (int x = 2; x < n - 1; x++) {
      float a = work.right[x - 1], b = work.left[x];
      work.flux[x] = .25f * (a * a + b * b) - .5f * (b - a);
    }
    for (int x = 2; x < n - 2; x++)
      row[x] -= dt * (work.flux[x + 1] - work.flux[x]);
  }
}

int main(void) {
  for (int n = 1; n < 200; n += n / 2 + 1)
    for (int m = 1; m < 80; m += m + 5) {
      float *q = malloc(sizeof(float) * n * m);
      for (int i = 0; i < n * m; i++)
        q[i] = i % 31 * .125f;
      sweep(n, m, q, .01f);
      sweep(n, m, q, .02f);
      for (int i = 0; i < n * m; i++)
        printf("%a ", q[i]);
      for (int i = 0; i < MOST; i++)
        printf("%a %a %a %a\n", work.slope[i], work.left[i], work.right[i], work.flux[i]);
      free(q);
    }
}
