// Sums whose cells are fields of structures: the cells are next to each other while the nest runs, and are copied back behind it.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -fno-math-errno -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=run' %clang -O3 -march=native -fopenmp %s -lm -o %t.both
// RUN: env OMP_NUM_THREADS=3 %t.both | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y, z, m; } body;
typedef struct { double x, y, z; } vector;
typedef struct { float x, y, z, ax, ay, az, m; } particle;

// Lanes of the sums, then what they found.
// CHECK: for (c{{[0-9]+}} = max({{.*}} + 1)); {{.*}})
// CHECK-NEXT: S{{[0-9]+}}(
__attribute__((noinline)) void forces(const body *b, vector *a, int n) {
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      double r = dx * dx + dy * dy + dz * dz + 1e-3, s = b[j].m / (r * sqrt(r));
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    a[i].x = ax;
    a[i].y = ay;
    a[i].z = az;
  }
}

// In the bodies themselves, from what they hold.
// CHECK: // vector
// CHECK-NEXT: for
// CHECK-NEXT: S{{[0-9]+}}(
__attribute__((noinline)) void own(particle *p, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
      float s = p[j].m / (dx * dx + dy * dy + dz * dz + 1);
      p[i].ax += dx * s;
      p[i].ay += dy * s;
      p[i].az += dz * s;
    }
}

// Of what is moved in each step.
__attribute__((noinline)) void steps(particle *p, int n, int times, float dt) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      p[i].ax = p[i].ay = 0;
      for (int j = 0; j < n; j++) {
        float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, s = p[j].m / (dx * dx + dy * dy + 1);
        p[i].ax += dx * s;
        p[i].ay += dy * s;
      }
    }
    for (int i = 0; i < n; i++) {
      p[i].x += dt * p[i].ax;
      p[i].y += dt * p[i].ay;
    }
  }
}

// What the sums read of each other stays where it is.
__attribute__((noinline)) void in_place(body *b, int n) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i].x += b[j].x * b[i].y;
}

int main(void) {
  for (int n = 0; n <= 90; n += n < 5 ? 1 : 17) {
    body *b = malloc((n + 1) * sizeof *b);
    vector *a = calloc(n + 1, sizeof *a);
    particle *p = malloc((n + 1) * sizeof *p);
    for (int i = 0; i <= n; i++) {
      b[i] = (body){i * 37 % 101 * .5, i * 53 % 97 * .25, i % 7, 1 + i % 3};
      p[i] = (particle){i * 37 % 101 * .5f, i * 53 % 97 * .25f, i % 7, .5f, .25f, 1, 1 + i % 3};
    }
    forces(b, a, n);
    own(p, n);
    fwrite(p, sizeof *p, n + 1, stdout);
    steps(p, n, 3, .01f);
    in_place(b, n);
    fwrite(a, sizeof *a, n + 1, stdout);
    fwrite(b, sizeof *b, n + 1, stdout);
    fwrite(p, sizeof *p, n + 1, stdout);
    free(a);
    free(b);
    free(p);
  }
}
