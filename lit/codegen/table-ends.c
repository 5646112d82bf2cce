// A nest with so many kinds of accesses to rows behind pointers that the ends of the table which it reads take too much to find: an interval around them is not
// read in front of it, since it may end far behind the table. With any pieces of the nest that are transformed instead, bytes stay.
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new -lm
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on;fusion=max' %clang -O3 -march=native -fopenmp %s -o %t.forced -lm
// RUN: %plainclang -O3 -march=native %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void nest(int n0, int n1, int n2, float **restrict a, float *restrict x) {
  for (unsigned i = 0; i < n0; i++) {
    a[i + i + 52][i + 61] += fabsf(x[i]);
    for (unsigned j = i + 1; (long)j <= n2 - 1; j++)
      x[2 * j + 2] = .25f * a[i + 52][2 * j + 62] + .75f * a[n0 + j + 53][j + 61];
    for (unsigned j = i + i; j < (n1 + 1) / 2; j += 2) {
      a[2 * i + 52][(((long)j - 1) % 4) + 61] += .7f - .3f * (a[j + 52][(((long)n0) % 6) + 61] * a[i + 52][j + 60]);
      a[i + 50][j + 61] = a[n1 + 2 * i + 51][j + 61] * .5f;
    }
  }
}
int main(void) {
  static const volatile int sizes[][3] = {{16, 33, 65}, {4, 13, 65}, {47, 23, 65}};
  for (int s = 0; s < 3; s++) {
    enum { ROWS = 182, COLUMNS = 191 };
    float **a = malloc(ROWS * sizeof *a), *x = malloc(200 * sizeof *x);
    for (int i = 0; i < 200; i++)
      x[i] = i % 7 * .5f;
    for (int i = 0; i < ROWS; i++) {
      a[i] = malloc(COLUMNS * sizeof **a);
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = (i * 3 + j * 5) % 11 * .25f;
    }
    nest(sizes[s][0], sizes[s][1], sizes[s][2], a, x);
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++)
        sum = sum * .75 + a[i][j];
    for (int i = 0; i < 200; i++)
      sum += x[i] * i;
    printf("%a\n", sum);
  }
}
