// The lowest bit of x ^ y is that of x + y: sweeps over cells of one colour are affine, as a condition and as a first cell.
// RUN: env "POLYTILE=dump=scop;stop-after=scop" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK-LABEL: function "chosen"
// CHECK: domain { S0[i0, i1] : ({{.*}} + i0 + i1) mod 2 = 0
// CHECK-NOT: may-write
NI void chosen(long n, long m, double (*a)[m], long c) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      if (((i ^ j) & 1) == c)
        a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// CHECK-LABEL: function "begun"
// CHECK: write { S0[i0, i1] -> M0_{{[a-z_0-9]+}}[1 + i0, {{.*}}2i1
NI void begun(int n, int c, int m, double (*a)[m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1 + ((1 ^ i ^ c) & 1); j < m - 1; j += 2)
      a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// CHECK-LABEL: function "within"
// CHECK: write { S0[i0, i1, i2] -> M0_{{[a-z_0-9]+}}[{{.*}} + i0, {{.*}} + i1, {{.*}}2i2
NI void within(int n, int c, int lo, int hi, double (*a)[n][n]) {
  for (int k = lo; k < hi; k++)
    for (int i = lo; i < hi; i++)
      for (int j = lo + ((lo ^ i ^ k ^ c) & 1); j < hi; j += 2)
        a[k][i][j] = 0.25 * (a[k - 1][i][j] + a[k + 1][i][j] + a[k][i][j - 1] + a[k][i][j + 1]);
}

#ifdef MAIN
static double a[40 * 40 * 40];
static void show(void) {
  double s = 0;
  for (int i = 0; i < 40 * 40 * 40; i++)
    s = s * .75 + a[i];
  printf("%.17g\n", s);
}
int main(void) {
  for (int i = 0; i < 40 * 40 * 40; i++)
    a[i] = i * 37 % 101 * .25;
  for (int n = 0; n < 40; n += n < 5 ? 1 : 11)
    for (int c = -3; c < 3; c++) {
      chosen(n, n + 2, (void *)a, c), show();
      begun(n, c, n + 3, (void *)a), show();
      if (n > 3)
        within(n, c, 1 + (c & 1), n - 1, (void *)a), show();
    }
}
#endif
