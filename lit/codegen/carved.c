// Arrays that lie in one block of memory, one behind the other at distances of products of sizes: each has its own shape and place, and
// whether they are apart is found out at run time. Blocks that hold elements of several sizes, too.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on;dump=scop" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=3 %t.new 2> %t.said | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: FileCheck --check-prefix=RUNS %s < %t.said

// Subscripts of 32 bits.
// CHECK-LABEL: function "product"
// CHECK: array {{.*}} strides ((mul 8 (sext [[K:v[0-9]+]]:32)) 8)
// CHECK-NOT: common
// CHECK: array {{.*}} strides ((mul 8 (sext [[M:v[0-9]+]]:32)) 8) {{.*}} common
// CHECK: array {{.*}} strides ((mul 8 (sext [[M]]:32)) 8) {{.*}} common (add
// RUNS-DAG: product: new version 4 {{.*}} original 0
__attribute__((noinline)) void product(int n, int m, int k, double *work) {
  double *a = work, *b = a + n * k, *c = b + k * m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * m + j];
      c[i * m + j] = s;
    }
}

// The distance has nothing to do with the rows: where it is too short, the arrays overlap.
// CHECK-LABEL: function "apart"
// CHECK: array {{.*}} common
// RUNS-DAG: apart: new version 2 {{.*}} original 2; arrays overlap: 2
__attribute__((noinline)) void apart(long n, long m, long p, long q, double *work) {
  double *u = work, *v = work + p * q;
  for (long i = 1; i < n; i++)
    for (long j = 0; j < m; j++)
      v[i * m + j] = u[i * m + j] + u[(i - 1) * m + j] * 0.5;
}

// Elements of two sizes.
// CHECK-LABEL: function "marked"
// CHECK-DAG: array {{.*}} f64
// CHECK-DAG: array {{.*}} i32 {{.*}} common
// RUNS-DAG: marked: new version 4 {{.*}} original 0
__attribute__((noinline)) void marked(long n, double *work) {
  int *marks = (int *)(work + n);
  for (long i = 0; i < n; i++)
    marks[i] = work[i] > 3;
}

// One array that begins somewhere in a block.
// CHECK-LABEL: function "filled"
// CHECK: array {{.*}} strides ((mul 8 {{.*}}) 8) {{.*}} common
__attribute__((noinline)) void filled(long n, long m, long k, double *work) {
  double *b = work + n * k;
  for (long i = 0; i < k; i++)
    for (long j = 0; j < m; j++)
      b[i * m + j] = i + j * 0.25;
}

// No such block: planes of an array, and shifts within a row.
// CHECK-LABEL: function "planes"
// CHECK-NOT: common
__attribute__((noinline)) void planes(long n, long m, long s, double *u) {
  for (long i = 1; i < n; i++)
    for (long j = 0; j < m; j++)
      u[n * m + i * m + j] = u[i * m + j] + u[2 * n * m + (i - 1) * m + j];
}

#ifdef MAIN
#include <stdio.h>

static double work[40000];

static void show(void) {
  fwrite(work, sizeof work, 1, stdout);
}

int main(void) {
  for (long round = 0; round < 4; round++) {
    long n = 41 + round, m = 37 + 3 * round, k = 45 - round;
    for (long i = 0; i < 40000; i++)
      work[i] = i % 23 * 0.25;
    product(n, m, k, work);
    show();
    apart(n, m, n, round % 2 ? m : 1, work);
    show();
    marked(9000 + round, work);
    filled(n, m, k, work);
    planes(n, m, k, work);
    show();
  }
}
#endif
