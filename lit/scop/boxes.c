// Boxes of a grid, each with its own corner and sizes: that a loop from `lo` to `lo + n` is entered is asked as `n > 0` in front, and LLVM counts
// max(lo + 1, lo + n) - lo iterations. One iteration for an n of zero is no case of the loops, but left to the original.
// RUN: env "POLYTILE=dump=scop;stop-after=scop" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>

struct box {
  int i, j, k, ni, nj, nk;
};

// CHECK-LABEL: function "add"
// CHECK: assume non-empty { {{.*}} > 0 and {{.*}} > 0 and {{.*}} > 0 }
// CHECK: domain { S0[i0, i1, i2] : 0 <= i0 < [[P:pt?[a-z0-9_]+]] and 0 <= i1 < [[Q:pt?[a-z0-9_]+]] and 0 <= i2 < [[R:pt?[a-z0-9_]+]] }
__attribute__((noinline)) void add(int boxes, const struct box *box, double *restrict c, const double *restrict a, int js, int ks) {
  for (int b = 0; b < boxes; b++) {
    const int ilo = box[b].i, jlo = box[b].j, klo = box[b].k;
    const int ihi = box[b].ni + ilo, jhi = box[b].nj + jlo, khi = box[b].nk + klo;
    for (int k = klo; k < khi; k++)
      for (int j = jlo; j < jhi; j++)
        for (int i = ilo; i < ihi; i++)
          c[i + j * js + k * ks] = .5 * a[i + j * js + k * ks];
  }
}

#ifdef MAIN
enum { N = 24 };
static double a[N * N * N], c[N * N * N];
int main(void) {
  const struct box boxes[] = {{0, 0, 0, N, N, N}, {3, 2, 1, 0, 5, 7}, {1, 4, 2, 6, 0, 3}, {2, 1, 5, 9, 4, 0}, {7, 7, 7, 1, 1, 1}, {1, 2, 3, 20, 17, 11}, {4, 4, 4, -3, 5, 6}};
  for (int s = 0; s < 3; s++) {
    for (int i = 0; i < N * N * N; i++)
      a[i] = i * 37 % 101 + s, c[i] = i % 7;
    add(s == 0 ? 1 : 5, boxes + s, c, a, N, N * N);
    double h = 0;
    for (int i = 0; i < N * N * N; i++)
      h = h * .75 + c[i];
    printf("%.17g\n", h);
  }
}
#endif
