// Forces of pairs that are near, on the one body and on the other: in tiles along the diagonal one of the cells that a statement writes under its condition stands
// still, while the others move. It is not held in a register: whether it is written depends on data.
// RUN: %plainclang -O3 -march=native %s -o %t.plain -lm
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native %s -o %t.new -lm
// RUN: %t.plain > %t.expected && %t.new | diff %t.expected -
#include <stdio.h>
enum { N = 300 };
static double x[N], y[N], fx[N], fy[N], e[N];
__attribute__((noinline)) static void pairs(int n, const double *restrict x, const double *restrict y, double *restrict fx, double *restrict fy,
                                            double *restrict e, double near) {
  for (int i = 0; i < n; i++)
    fx[i] = fy[i] = e[i] = 0;
  for (int i = 0; i < n - 1; i++)
    for (int j = i + 1; j < n; j++) {
      double dx = x[i] - x[j], dy = y[i] - y[j], r = dx * dx + dy * dy;
      if (r < near) {
        fx[i] += dx / r;
        fy[j] -= dy / r;
        e[i] += 1 / r;
      }
    }
}
int main(void) {
  for (int i = 0; i < N; i++) {
    x[i] = (i * 37 % 101 + .5) / 101;
    y[i] = (i * 53 % 97 + .25) / 97;
  }
  const int sizes[] = {0, 1, 2, 3, 17, 255, N};
  for (int k = 0; k < 7; k++) {
    pairs(sizes[k], x, y, fx, fy, e, .1);
    double s = 0;
    for (int i = 0; i < N; i++)
      s = s * .99 + fx[i] + 2 * fy[i] + 3 * e[i];
    printf("%a\n", s);
  }
}
