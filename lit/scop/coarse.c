// Grids of two levels: loops that take two rows of the fine grid at a time, in rows of a fixed length or with a variable for each stride, and grids
// that are members of an element of an array. What lies between the rows that a loop goes to says how long one is, so that the new versions run.
// Fine rows may overlap, as they are only read.
// RUN: %plainclang -O3 -fwrapv -march=native -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 POLYTILE_VERBOSE=1 %t.new 2> %t.ran | cmp - %t.expected
// RUN: FileCheck --input-file %t.ran %s
// CHECK-DAG: strides: new version 8 ({{.*}}), original 0
// CHECK-DAG: ints: new version 8 ({{.*}}), original 0
// CHECK-DAG: plane: new version 4 ({{.*}}), original 0
// CHECK-DAG: lifted: new version 4 ({{.*}}), original 0
// CHECK-DAG: levels: new version 4 ({{.*}}), original 0
#include <stdio.h>
#define NI __attribute__((noinline))
#define MAX 12
static double fine[(2 * MAX + 2) * (2 * MAX + 2) * (2 * MAX + 2)], coarse[(MAX + 2) * (MAX + 2) * (MAX + 2)];

NI void strides(long n, double *restrict c, double *restrict f, long cj, long ck, long js, long ks) {
  for (long k = 1; k <= n; k++)
    for (long j = 1; j <= n; j++)
      for (long i = 1; i <= n; i++) {
        long x = (2 * i - 1) + (2 * j - 1) * js + (2 * k - 1) * ks;
        c[i + j * cj + k * ck] = f[x] + f[x + 1] * .5 + f[x + js] + f[x + 1 + js] * .25 + f[x + ks] + f[x + 1 + js + ks];
      }
}

NI void ints(int n, double *restrict c, double *restrict f, int cj, int ck, int js, int ks) {
  for (int k = 1; k <= n; k++)
    for (int j = 1; j <= n; j++)
      for (int i = 1; i <= n; i++) {
        int x = (2 * i - 1) + (2 * j - 1) * js + (2 * k - 1) * ks;
        c[i + j * cj + k * ck] -= f[x] + f[x + 1] * .5 + f[x + js] + f[x + 1 + js] * .25 + f[x + ks] + f[x + 1 + js + ks];
      }
}

NI void plane(int n, int m, double *restrict c, double *restrict f) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      c[i + j * m] = f[2 * i + 2 * j * (2 * m)] * .5 + f[2 * i + 1 + 2 * j * (2 * m)] + f[2 * i + (2 * j + 1) * 2 * m];
}

NI void lifted(int n, int m, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * (2 * m + 2) + (2 * j + 1)] -= (a[i * (2 * m + 2) + 2 * j] + a[i * (2 * m + 2) + (2 * j + 2)]) / 2;
}

struct level {
  int n, js, ks;
  double *r, *f;
};

NI void levels(struct level *level, int at) {
  struct level *fine = &level[at], *coarse = &level[at + 1];
  for (int k = 1; k <= coarse->n; k++)
    for (int j = 1; j <= coarse->n; j++)
      for (int i = 1; i <= coarse->n; i++) {
        int x = (2 * i - 1) + (2 * j - 1) * fine->js + (2 * k - 1) * fine->ks;
        coarse->f[i + j * coarse->js + k * coarse->ks] = fine->r[x] + fine->r[x + 1] * .5 + fine->r[x + fine->js] + fine->r[x + fine->ks] * .25;
      }
}

NI static void print(const double *a, int size, int by) {
  double sum = 0;
  for (int i = 0; i < size; i++)
    sum = sum * .75 + a[i] * by;
  printf(" %.17g", sum);
}

int main(void) {
  int sizes[] = {1, 2, 5, MAX};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s], cj = n + 2, ck = cj * cj, js = 2 * n + 2, ks = js * js;
    int all = sizeof fine / sizeof *fine, few = sizeof coarse / sizeof *coarse;
    for (int i = 0; i < all; i++)
      fine[i] = (i * 37 + s) % 101 / 7.0;
    strides(n, coarse, fine, cj, ck, js, ks);
    print(coarse, few, 1);
    ints(n, coarse, fine, cj, ck, js, ks);
    print(coarse, few, 2);
    // Rows of the fine grid that lie in each other.
    strides(n, coarse, fine, cj, ck, 1, ks);
    ints(n, coarse, fine, cj, ck, js, 2);
    print(coarse, few, 3);
    plane(n, n, coarse, fine);
    print(coarse, few, 4);
    lifted(n, n, fine);
    print(fine, all, 5);
    struct level grids[2] = {{2 * n, js, ks, fine, 0}, {n, cj, ck, 0, coarse}};
    levels(grids, 0);
    print(coarse, few, 6);
    puts("");
  }
  return 0;
}
