// A loop that is left for the end of the function, beside loops that data ends: a reason, not an internal error.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -S -o /dev/null %s -Rpass-missed=polytile 2>&1 | FileCheck %s
// CHECK-NOT: internal error
// CHECK: not transformed
// CHECK-NOT: internal error
struct pair {
  double x, y;
};
void f(int n, int m, double *a, struct pair *b, double *c, const double (*e)[m + 8], double *g) {
  double sum = 0;
  for (long i = m / 2 - 1; i >= 0; i--) {
    if (b[i + 4].x > e[6][m + 3 - i])
      break;
    for (int j = 1; j < n / 2; j += 3)
      sum += a[(j + 4) * (m + 8) + i + 4];
    for (int j = 2; j < m && 1.0 != b[i + 4].y; j++)
      for (unsigned k = 2; k < n; k += 2)
        c[j + 4] = c[j + 6] - a[(k + 2) * (m + 8) + j + 5];
  }
}
