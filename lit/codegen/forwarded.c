// What a statement has written, the next one of the iteration finds in a register; a value that is overwritten is not stored.
// A store that may be to another element comes between: the element is read again.
// RUN: env "POLYTILE=min-work=0;tile=off;parallel-min-us=100000" %clang -O3 -march=x86-64-v3 -fno-inline -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#define N 60
#define NOINLINE __attribute__((noinline))

// The sum begins with zero instead of a load of c, and zero is not stored.
// CHECK-LABEL: define internal {{.*}}@begun.polytile{{.*}}(
// CHECK-NOT: store <4 x double> zeroinitializer
// CHECK: [[SUM:%.*]] = fadd <4 x double> %{{.*}}, zeroinitializer
// CHECK-NOT: store <4 x double> zeroinitializer
// CHECK: store <4 x double> [[SUM]]
// CHECK-NOT: store <4 x double> zeroinitializer
// CHECK: define
NOINLINE void begun(int n, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] += a[i][0] * b[0][j] + a[i][1] * b[1][j];
}

NOINLINE void between(int n, long at, double (*restrict c)[N], double (*restrict a)[N]) {
  for (int i = 0; i < n; i++) {
    c[i][0] = a[i][0];
    c[i][at] = a[i][1];
    a[i][2] = c[i][0] + 1;
  }
}

#ifdef MAIN
#include <stdio.h>
int main(void) {
  static double a[N][N], b[N][N], c[N][N];
  for (int n = 0; n <= N; n += 13)
    for (int at = 0; at < 3; at++) {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          a[i][j] = (i * 7 + j * 3 + n) % 17, b[i][j] = (i * 5 + j * 11) % 13, c[i][j] = i - j;
      begun(n, c, a, b);
      double sum = 0;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          sum = sum * 1.25 + c[i][j], sum = sum > 1e6 ? sum * 1e-6 : sum;
      between(n, at, c, a);
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          sum = sum * 1.25 + c[i][j] + a[i][j], sum = sum > 1e6 ? sum * 1e-6 : sum;
      printf("%d %d %.17g\n", n, at, sum);
    }
}
#endif
