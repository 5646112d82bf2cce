// What every module has of the run-time, and runs once or for reports only, is not optimized again; what
// threads call in each parallel loop is.
// RUN: env POLYTILE=min-work=0 %clang -O3 -fopenmp -S -emit-llvm %s -o - | FileCheck %s
//
// CHECK-DAG: define internal {{.*}}@polytile.claim({{.*}} #[[HOT:[0-9]+]]
// CHECK-DAG: define internal {{.*}}@polytile.tell({{.*}} #[[COLD:[0-9]+]]
// CHECK-DAG: define internal {{.*}}@polytile.read_switches({{.*}} #[[COLD]]
// CHECK-DAG: define internal {{.*}}@polytile.look({{.*}} #[[COLD]]
// CHECK-NOT: attributes #[[HOT]] = {{.*}}optnone
// CHECK: attributes #[[COLD]] = {{{.*}}cold {{.*}}noinline {{.*}}optnone
void smooth(int n, double a[n][n], double b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = .25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
