// Where the model of time is not sure, the program measures which version of a region to run: a ticket in front of both, a note
// behind both. The bytes stay the same with any number of threads, however often and with whatever sizes it is entered. A clear
// gain is not measured, nor a function that must call nothing, and without the option there is nothing of it.
// RUN: env POLYTILE=select=measure %clang -O3 -march=znver4 -g1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck --check-prefix=MODEL %s
// RUN: env "POLYTILE=select=measure;verify=on" %clang -O3 --target=aarch64-linux-gnu -mcpu=neoverse-n1 -DNO_MAIN -S -emit-llvm -o - %s | FileCheck --check-prefix=ARM %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=select=measure;min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.forced
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE=select=measure %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.auto
// RUN: env OMP_NUM_THREADS=2 %t.auto | cmp - %t.expected
//
// CHECK: @polytile.choice = internal global [128 x i64] zeroinitializer
// CHECK-LABEL: define {{.*}}@sweeps(
// CHECK-DAG: [[TICKET:%.*]] = {{.*}}call i64 @polytile.select.begin(ptr nonnull @polytile.choice, i64 {{.*}}, i64 1)
// CHECK-DAG: trunc i64 [[TICKET]] to i1
// CHECK-DAG: call {{.*}} @sweeps.polytile.
// CHECK-DAG: phi i64
// CHECK-DAG: call void @polytile.select.note(ptr nonnull @polytile.choice,
// CHECK-LABEL: define {{.*}}@product(
// CHECK-NOT: @polytile.select
// CHECK-LABEL: define {{.*}}@handler(
// CHECK-NOT: @polytile.select
// CHECK: define internal {{.*}}i64 @polytile.select.begin(
// CHECK: call i64 @llvm.readcyclecounter()
// CHECK: define internal {{.*}}void @polytile.select.note(
// MODEL-NOT: @polytile.{{choice|select}}
// ARM: define internal {{.*}}i64 @polytile.select.begin(
// ARM: call i64 @llvm.readsteadycounter()
#define N 400
#define SWEEPS(steps, x, y)                                                                                            \
  for (int t = 0; t < (steps); t++) {                                                                                  \
    for (int i = 1; i < n - 1; i++)                                                                                    \
      for (int j = 1; j < n - 1; j++)                                                                                  \
        x[i][j] = 0.2 * (y[i][j] + y[i - 1][j] + y[i + 1][j] + y[i][j - 1] + y[i][j + 1]);                             \
    for (int i = 1; i < n - 1; i++)                                                                                    \
      for (int j = 1; j < n - 1; j++)                                                                                  \
        y[i][j] = 0.2 * (x[i][j] + x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);                             \
  }
void sweeps(int steps, int n, double (*restrict x)[N], double (*restrict y)[N]) { SWEEPS(steps, x, y) }
void product(int n, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
static double a[N][N], b[N][N], c[N][N], d[N][N];
void handler(int n) { SWEEPS(n, a, d) }
void (*signal(int, void (*)(int)))(int);
void install(void) { signal(14, handler); }
#ifdef MAIN
int printf(const char *, ...);
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * j % 11, b[i][j] = i % 7 - j * 0.5;
  for (int entry = 0; entry < 120; entry++) {
    const int n = (entry * 37 + 11) % 131;
    sweeps(n / 9, n, d, a);
    product(n / 2, c, a, b);
    if (entry % 3 == 0)
      sweeps(7, 2 * n, d, b);
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = sum * 0.9 + a[i][j] + b[i][j] * 0.25 + c[i][j] * 1e-9;
  printf("%a\n", sum);
}
#endif
