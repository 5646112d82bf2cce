// Faces of a box in one block of memory: what a nest moves by is a product of two sizes, of which it takes a row here and there. How many elements a
// plane has is a parameter of its own then, or the rows that stand still say how long they are.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "walls
// CHECK: array M{{[0-9]}}_u f64 {{.*}} extents ((mul 1 v{{[0-9]+}} v{{[0-9]+}}))
NI void walls(double *u, long n, long m, long l) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < l; j++) {
      u[i * m * l + j] = u[i * m * l + l + j];
      u[i * m * l + (m - 1) * l + j] = u[i * m * l + (m - 2) * l + j];
    }
}

// In 32 bits.
// CHECK: scop "narrow
NI void narrow(double *u, int n, int m, int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < l; j++) {
      u[(i * m + 0) * l + j] = u[(i * m + 1) * l + j];
      u[(i * m + m - 1) * l + j] = u[(i * m + m - 2) * l + j];
    }
}

// A row that stands still.
// CHECK: scop "apart
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_u[i0, pl_1 + i1] }
NI void apart(double *u, const double *v, long n, long m, long l) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < l; j++)
      u[i * m * l + l + j] = v[i * m * l + 2 * l + j] * .5 + v[i * m * l + l + j];
}

// Where there are fewer rows than it takes, they are not in their planes.
NI void over(double *u, long n, long m, long l) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < l; j++)
      u[i * m * l + 2 * l + j] = u[i * m * l + j] + 1;
}

#ifdef MAIN
static double u[9 * 40 * 50], v[9 * 40 * 50];
int main(void) {
  for (int k = 0; k < 9 * 40 * 50; k++)
    u[k] = k * 37 % 101 * .25, v[k] = k * 53 % 97 * .5;
  static const volatile int sizes[][3] = {{5, 4, 9}, {6, 1, 33}, {4, 2, 40}, {7, 40, 50}, {5, 3, 1}, {0, 3, 3}};
  for (int s = 0; s < 6; s++) {
    int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2];
    walls(u + 2 * l, n, m, l);
    narrow(u + 2 * l, n, m, l);
    apart(u, v, n, m, l);
    over(u, n, m, l);
    double sum = 0;
    for (int k = 0; k < 9 * 40 * 50; k++)
      sum = sum * .75 + u[k];
    printf("%a\n", sum);
  }
}
#endif
