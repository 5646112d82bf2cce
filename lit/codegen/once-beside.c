// What runs once before a loop stays in front of it: as one of its iterations it would part it, or be a condition in it.
// RUN: env POLYTILE="min-work=0;verify=on;dump=ast" %clang -O3 -march=znver4 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
void march(long n, double *restrict x, double *restrict y, double *restrict s) {
  for (long i = 0; i < n; i++)
    x[i] = 2 * y[i] + 1;
  s[1] = s[0] * x[0];
  double a = 0;
  for (long i = 0; i < n; i++) {
    a = a * x[i] + s[1];
    y[i] = a;
  }
}
// CHECK: for (c0 = 0; c0 <= (p0 - 1); c0 += 1)
// CHECK-NEXT: S0(c0);
// CHECK-NEXT: S1();
