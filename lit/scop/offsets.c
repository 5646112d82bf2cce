// What is added to all addresses of an array belongs to its base: as a part of a subscript it would have to be 0 for rows to be rows.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -fwrapv-pointer -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -fwrapv-pointer -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "scaled
// CHECK-NOT: assume in-bounds { {{.*}} = 0
// CHECK: array M{{[0-9]}}_a f64 {{.*}} origin v{{[0-9]+}} 0 8
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_a[i0, i1] }
NI void scaled(double *a, const double *x, long off, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[off + i * m + j] *= x[j];
}

// The neighbours of a row.
// CHECK: scop "smoothed
// CHECK: array M{{[0-9]}}_b f64 {{.*}} origin v{{[0-9]+}} 0 8
NI void smoothed(double *a, const double *b, long off, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++)
      a[i * m + j] = b[off + i * m + j - 1] + b[off + i * m + j + 1];
}

// Not the same everywhere: another row of the same array.
NI void moved(double *a, long off, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[off + i * m + j] = a[i * m + j] + 1;
}

// A number of layers times their size, and two arrays that may be one.
NI void layers(double *a, const double *b, unsigned long l, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i] += b[l * n * m + i * m + j];
}

// In 32 bits.
// CHECK: scop "narrow
// CHECK-NOT: assume in-bounds { {{.*}} = 0
// CHECK: array M{{[0-9]}}_b f64
NI void narrow(double *a, const double *b, int off, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i] += b[off + i * m + j];
}

#ifdef MAIN
#define N 20000
static double a[N], b[N];
static void fill(void) {
  for (int i = 0; i < N; i++)
    a[i] = i * 37 % 101 * .25, b[i] = i * 53 % 97 * .5;
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * .75 + a[i] + b[i] * 3;
  printf("%.17g\n", s);
}
static void all(long off, long n, long m) {
  double *p = a + N / 2, *q = b + N / 2;
  fill(), scaled(p, q, off, n, m), show();
  fill(), scaled(p, p, off, n, m), show();
  fill(), smoothed(p, q, off, n, m), show();
  fill(), smoothed(p, p, off, n, m), show();
  fill(), moved(p, off, n, m), show();
  fill(), narrow(p, q, (int)off, n, m), show();
  fill(), narrow(p, p, (int)off, n, m), show();
}
int main(void) {
  for (long n = 0; n < 40; n += n < 4 ? 1 : 11)
    for (long m = 0; m < 50; m += m < 3 ? 1 : 13) {
      for (long off = -1700; off < 1800; off += off < -50 || off > 50 ? 830 : 13)
        all(off, n, m);
      for (unsigned long l = 0; l < 4; l++) {
        fill(), layers(a, b, l, n, m), show();
        fill(), layers(a, a, l, n, m), show();
        fill(), layers(a, a, -l, 0, m), show();
      }
    }
  // Modulo 2^64 these are elements of the array.
  for (int high = 61; high < 64; high++)
    for (long off = -40; off < 50; off += 40) {
      long far = (long)(1UL << high) + off;
      fill(), scaled(a + N / 2, b, far, 9, 30), show();
      fill(), scaled(a + N / 2, a + N / 2 + 20, far, 9, 30), show();
      fill(), smoothed(a + N / 2, a + N / 2, far, 9, 30), show();
      fill(), layers(a + N / 2, a + N / 2, 1UL << high, 9, 30), show();
    }
}
#endif
