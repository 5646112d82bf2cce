// What a sequential loop finds again in its next step stays in a register: here the sum in b[i][j], while other elements of b
// are read, too. Where one of these may be the sum's, each step stores it. Where a second statement writes the array, nothing
// is known about the element, and each step reads it again. Arrays that the program declares apart are so in the functions
// that threads run, too.
// RUN: env "POLYTILE=min-work=0;tile=off;vectorize=off" %clang -O3 -march=x86-64 -fno-inline -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#define N 60

// CHECK-LABEL: define internal {{.*}}@solve.polytile{{.*}}(
// CHECK: load double, {{.*}} !alias.scope
// CHECK: [[SUM:%.*]] = phi double
// CHECK: call double @llvm.fmuladd.f64(double %{{.*}}, double %{{.*}}, double [[SUM]])
__attribute__((noinline)) void solve(int n, double (*restrict b)[N], double (*restrict a)[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < n; k++)
        b[i][j] -= a[k][i] * b[k][j];
}

// CHECK-LABEL: define internal {{.*}}@mixed.polytile{{.*}}(
// CHECK: [[OTHER:%.*]] = phi double
// CHECK: [[NEXT:%.*]] = tail call double @llvm.fmuladd.f64(double %{{.*}}, double %{{.*}}, double [[OTHER]])
// CHECK-NEXT: store double [[NEXT]]
__attribute__((noinline)) void mixed(int n, double (*restrict b)[N], double (*restrict a)[N]) {
  for (int l = 0; l < n; l++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        b[l][i] += a[k][i] * b[l][k];
}

// CHECK-LABEL: define internal {{.*}}@marked.polytile{{.*}}(
// CHECK-NOT: phi double
__attribute__((noinline)) void marked(int n, double (*restrict b)[N], double (*restrict a)[N]) {
  for (int l = 0; l < n; l++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) {
        b[l][i] += a[k][i] * b[l][k];
        b[l][k] = a[i][k] + b[l][i];
      }
}

// The value of one step is the one before in the next.
// CHECK-LABEL: define internal {{.*}}@recurrence.polytile{{.*}}(
// CHECK: phi double
__attribute__((noinline)) void recurrence(int n, double (*restrict b)[N], double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k < n; k++)
      b[i][k] = a[i][k] * b[i][k - 1] + 1;
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N][N];
int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 1) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = (i * 7 + j) % 5 * 0.1;
        b[i][j] = (i + j * 3) % 7 - 3;
      }
    solve(n, b, a);
    mixed(n, b, a);
    marked(n, b, a);
    recurrence(n, b, a);
    for (int i = 0; i < N; i++)
      fwrite(b[i], sizeof(double), N, stdout);
  }
}
#endif
