// A trace of an array with four dimensions of n: its diagonals move along two of them at once, by n*n*n + n*n, and no dimension has n + 1 elements.
// RUN: env POLYTILE=dump=scop %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-NOT: p_size
// CHECK: read { {{.*}} -> M{{.*}}[i0, i0, i1, i1] }
#define AT(a, b, c, d) ((((long)(a) * n + (b)) * n + (c)) * n + (d))
double transform(int n, const double *restrict c, const double *restrict t, double *restrict out) {
  for (int p = 0; p < n; p++)
    for (int q = 0; q < n; q++)
      for (int r = 0; r < n; r++)
        for (int s = 0; s < n; s++) {
          double x = 0;
          for (int m = 0; m < n; m++)
            x += c[m * n + p] * t[AT(m, q, r, s)];
          out[AT(p, q, r, s)] = x;
        }
  double trace = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      trace += out[AT(i, i, j, j)] - 0.5 * out[AT(i, j, i, j)];
  return trace;
}
