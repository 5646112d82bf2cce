// A sum whose operations may be reassociated is a reduction, and is marked as one; any other sum keeps its order.
// RUN: env "POLYTILE=dump=deps;stop-after=deps" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-NOT: reduction
// CHECK: S0 -> S0 flow anti output
// CHECK-NOT: reduction
// RUN: env "POLYTILE=dump=deps;stop-after=deps" %clang -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=FREE %s
// FREE: S0 -> S0 {{.*}}reduction
void rows(int n, int m, double s[1000], double a[1000][1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i] += a[i][j];
}
