// Loads from one array at a place that a condition on data chooses: the compiler selects the pointer, or lets pointers merge, and loads once.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>

// REMARK: parted.c:[[@LINE+3]]:3: {{.*}}: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void upwind(int w, int h, const float *restrict m, const float *restrict g, float *restrict o) {
  // The neighbour from which the wind blows.
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float p = g[y * w + x] > 0 ? m[y * w + x - 1] : m[(y - 1) * w + x];
      o[y * w + x] = p * 2 + 1;
    }
}

// REMARK: parted.c:[[@LINE+3]]:3: {{.*}}: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void along(int w, int h, const float *restrict m, const float *restrict g, float *restrict o) {
  // Second differences along one of two lines.
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float p, q;
      if (g[y * w + x] > .5f) {
        p = m[y * w + x - 1];
        q = m[y * w + x + 1];
      } else {
        p = m[(y - 1) * w + x];
        q = m[(y + 1) * w + x];
      }
      o[y * w + x] = p - 2 * m[y * w + x] + q;
    }
}

// REMARK: parted.c:[[@LINE+3]]:3: {{.*}}: loop nest transformed: 1 statement, 1 parallel loop
__attribute__((noinline)) void four(int w, int h, const float *restrict m, const float *restrict g, float *restrict o) {
  // One of four neighbours.
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float p, a = g[y * w + x];
      if (a > .5f)
        p = m[y * w + x - 1];
      else if (a > .2f)
        p = m[(y - 1) * w + x];
      else if (a > .1f)
        p = m[(y + 1) * w + x];
      else
        p = m[y * w + x + 1];
      o[y * w + x] = p * 2 + 1;
    }
}

// Only what is chosen may be read: what follows the array may not.
__attribute__((noinline)) void within(int n, const float *restrict m, const unsigned char *restrict inside, float *restrict o) {
  for (int r = 0; r < 8; r++)
    for (int i = 0; i < n; i++)
      o[r * n + i] = m[inside[i] ? i : n - 1 - i - (i << 20)] + r;
}

int main(void) {
  int w = 120, h = 90;
  float *m = malloc(sizeof(float) * w * h), *g = malloc(sizeof(float) * w * h), *o = calloc(w * h, sizeof(float));
  for (int i = 0; i < w * h; i++) {
    m[i] = (i * 37 + 11) % 101 * 0.25f;
    g[i] = (i * 53 + 7) % 97 / 97.0f - 0.1f;
  }
  for (int part = 0; part < 3; part++) {
    (part == 0 ? upwind : part == 1 ? along : four)(w, h, m, g, o);
    for (int i = 0; i < w * h; i++)
      printf("%a\n", o[i]);
  }
  long page = sysconf(_SC_PAGESIZE);
  char *pages = mmap(0, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + page, page, PROT_READ | PROT_WRITE);
  int n = page / sizeof(float);
  float *alone = (float *)(pages + page), *out = malloc(sizeof(float) * n * 8);
  unsigned char *inside = malloc(n);
  for (int i = 0; i < n; i++) {
    alone[i] = i;
    inside[i] = 1;
  }
  within(n, alone, inside, out);
  for (int i = 0; i < 8 * n; i++)
    printf("%a\n", out[i]);
}
