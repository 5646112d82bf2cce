// A cell of a mesh looks at all of its faces: what lies behind each of them is looked up in a table and is another cell, a wall, or the open.
// Sums over faces that the program unrolls are long trees of choices, several of which one statement stores; all conditions of a face are asked
// once, and what is behind a face is read where there is a cell only. (A solver of the Euler equations has some hundred operations in such a tree.)
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -lm -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#define FACES 6

typedef struct {
  float mass, x, y, z, energy;
} state;

static float pressure_of(state s) {
  return .4f * (s.energy - .5f * (s.x * s.x + s.y * s.y + s.z * s.z) / s.mass);
}

static void add(state *sum, float f, state s, float p) {
  sum->mass += f * s.x;
  sum->x += f * (s.x * s.x / s.mass + p);
  sum->y += f * (s.x * s.y / s.mass);
  sum->z += f * (s.x * s.z / s.mass);
  sum->energy += f * (s.x / s.mass * (s.energy + p));
}

static state cell(const float *q, int n, int c) {
  return (state){q[c], q[c + n], q[c + 2 * n], q[c + 3 * n], q[c + 4 * n]};
}

// CHECK: fluxes.c:[[@LINE+3]]:3: remark: loop nest transformed: 5 statements, 1 parallel loop
__attribute__((noinline)) void fluxes(int n, const int *restrict behind, const float *restrict area, const float *restrict q, state open,
                                      float *restrict flux) {
  for (int c = 0; c < n; c++) {
    state mine = cell(q, n, c), sum = {0, 0, 0, 0, 0};
    float p = pressure_of(mine), speed = __builtin_sqrtf(mine.x * mine.x + mine.y * mine.y + mine.z * mine.z) / mine.mass;
#pragma clang loop unroll(full)
    for (int f = 0; f < FACES; f++) {
      int other = behind[c + f * n];
      float a = area[c + f * n];
      if (other >= 0) {
        state s = cell(q, n, other);
        float smooth = .2f * a * (speed + p / mine.mass);
        sum.mass += smooth * (mine.mass - s.mass);
        sum.x += smooth * (mine.x - s.x);
        sum.y += smooth * (mine.y - s.y);
        sum.z += smooth * (mine.z - s.z);
        sum.energy += smooth * (mine.energy - s.energy);
        add(&sum, .5f * a, s, pressure_of(s));
        add(&sum, .5f * a, mine, p);
      } else if (other == -1) {
        sum.x += a * p;
        sum.y += .5f * a * p;
        sum.z += .25f * a * p;
      } else if (other == -2) {
        add(&sum, .5f * a, open, .7f);
        add(&sum, .5f * a, mine, p);
      }
    }
    flux[c] = sum.mass;
    flux[c + n] = sum.x;
    flux[c + 2 * n] = sum.y;
    flux[c + 3 * n] = sum.z;
    flux[c + 4 * n] = sum.energy;
  }
}

#ifdef MAIN
#include <stdio.h>
enum { N = 500 };
static int behind[FACES * N];
static float area[FACES * N], q[5 * N], flux[5 * N];

int main(void) {
  unsigned r = 7;
  for (int i = 0; i < FACES * N; i++) {
    r = r * 1103515245 + 12345;
    behind[i] = (int)(r / 65536 % (N + 60)) - 60;
    area[i] = (float)(r / 65536 % 100) / 50 - 1;
    if (behind[i] < 0)
      behind[i] = -1 - -behind[i] % 3;
  }
  for (int i = 0; i < 5 * N; i++)
    q[i] = 1 + (float)(i % 17) / 8;
  fluxes(N, behind, area, q, (state){1, .5f, .25f, .125f, 2}, flux);
  for (int i = 0; i < 5 * N; i++)
    printf("%a\n", flux[i]);
}
#endif
