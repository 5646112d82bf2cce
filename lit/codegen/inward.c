// Rows inwards: `i` may not pass the five fields, which have too few rows to tell fields of one array from its rows, but `k`, along which memory is
// contiguous, may be the innermost loop. It was `i`, eleven kilobytes from element to element.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=scale" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.inward
// RUN: env OMP_NUM_THREADS=3 %t.inward | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.inward | cmp - %t.expected
#include <stdio.h>

int size[3];
double field[5][7][37][37];

// CHECK: // parallel
// CHECK-NEXT: for ([[J:c[0-9]+]] =
// CHECK-NEXT: for ([[M:c[0-9]+]] = 0; [[M]] <= 4;
// CHECK-NEXT: for ([[I:c[0-9]+]] =
// CHECK-NEXT: // vector
// CHECK-NEXT: for ([[K:c[0-9]+]] =
// CHECK-NEXT: S0([[M]], [[I]], [[J]], [[K]]);
__attribute__((noinline)) void scale(double by) {
  for (int m = 0; m < 5; m++)
    for (int i = 1; i <= size[0] - 2; i++)
      for (int j = 1; j <= size[1] - 2; j++)
        for (int k = 1; k <= size[2] - 2; k++)
          field[m][i][j][k] = field[m][i][j][k] * by;
}

#ifdef MAIN
int main(void) {
  static const int sizes[][3] = {{7, 37, 37}, {3, 4, 5}, {2, 9, 9}, {6, 36, 37}};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (int d = 0; d < 3; d++)
      size[d] = sizes[s][d];
    for (int n = 0; n < 5 * 7 * 37 * 37; n++)
      (&field[0][0][0][0])[n] = (n * 7 % 1009) * 0.25;
    scale(1.0 / (3 + s));
    double sum = 0;
    for (int n = 0; n < 5 * 7 * 37 * 37; n++)
      sum = sum * 0.75 + (&field[0][0][0][0])[n];
    printf("%a %a\n", sum, field[4][1][2][3]);
  }
  return 0;
}
#endif
