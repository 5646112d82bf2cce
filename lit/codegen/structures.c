// Fields of an array of structures that sums read again and again: they are copied next to each other, and sums of neighbours run in lanes.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -fno-math-errno -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=run' %clang -O3 -march=native -fopenmp %s -lm -o %t.both
// RUN: env OMP_NUM_THREADS=3 %t.both | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y, v, w, e; } body;

// Once, in front; S3 is the sum.
// CHECK: S0(c0);
// CHECK-NEXT: S1(c0);
// CHECK: S2(
// CHECK: // vector
// CHECK-NEXT: for
// CHECK-NEXT: S3(
__attribute__((noinline)) void forces(body *b, int n, double dt) {
  for (int i = 0; i < n; i++) {
    double f = 0;
    for (int j = 0; j < n; j++) {
      double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y;
      f += dx / sqrt(dx * dx + dy * dy + .5);
    }
    b[i].v += dt * f;
  }
}

// Once for what stays where it is, and in each step for what the nest moves. Each side of the body itself is a loop.
// CHECK: S0(
// CHECK: for (c2 = 0; c2 <= (p0 - 1)
// CHECK: S1(c2,
// CHECK: S4(c2,
// CHECK: for
// CHECK: // vector
// CHECK-NEXT: for ({{.*}} - 1)); {{.*}})
// CHECK-NEXT: S5(c2,
// CHECK-NEXT: // vector
// CHECK-NEXT: for ({{.*}} + 1)); {{.*}})
// CHECK-NEXT: S5(c2,
__attribute__((noinline)) void steps(body *b, int n, int times, double dt) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      double f = 0, g = 0, e = 0;
      for (int j = 0; j < n; j++)
        if (i != j) {
          double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, q = 1 / (dx * dx + dy * dy);
          f += dx * q;
          g += dy * q;
          e += q;
        }
      b[i].v += dt * f;
      b[i].w += dt * g;
      b[i].e += dt * e;
    }
    for (int i = 0; i < n; i++)
      b[i].x += dt * b[i].v;
  }
}

// Least distances; in floats there are more lanes.
__attribute__((noinline)) void nearest(const body *restrict b, int n, double *restrict d) {
  for (int i = 0; i < n; i++) {
    double least = 1e30;
    for (int j = 0; j < n; j++) {
      double dx = b[j].x - b[i].x, e = dx * dx + 1;
      if (e < least)
        least = e;
    }
    d[i] = least;
  }
}

// What the sums change is not copied.
__attribute__((noinline)) void in_place(body *b, int n) {
  for (int i = 1; i < n; i++) {
    double f = 0;
    for (int j = 0; j < i; j++)
      f += b[j].x * b[i].y / (b[j].y + 1);
    b[i].x += f;
  }
}

int main(void) {
  for (int n = 0; n <= 90; n += n < 5 ? 1 : 17) {
    body *b = malloc((n + 1) * sizeof *b);
    for (int i = 0; i <= n; i++)
      b[i] = (body){i * 37 % 101 * .5, i * 53 % 97 * .25, 0, 0, 0};
    forces(b, n, .01);
    fwrite(b, sizeof *b, n, stdout);
    steps(b, n, 3, .01);
    fwrite(b, sizeof *b, n, stdout);
    in_place(b, n);
    fwrite(b, sizeof *b, n, stdout);
    double *d = calloc(n + 1, sizeof *d);
    nearest(b, n, d);
    fwrite(d, sizeof *d, n, stdout);
    free(b);
    free(d);
  }
}
