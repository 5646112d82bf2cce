// Sweeps that share their rows gain by what does not fit a cache: one thread runs them together from so many bytes on, and the original's loops
// below, whatever the number of steps is. Several threads run them together in both cases.
// RUN: %clang -O3 -march=x86-64-v3 -fopenmp -Rpass=polytile -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp %s -o %t.new
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2> %t.told | cmp - %t.expected
// RUN: FileCheck %s --check-prefix=TOLD < %t.told
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// SAID: beyond-cache.c:{{[0-9]+}}:3: {{.*}}loop nest transformed: {{.*}}several threads or arrays beyond the cache
// TOLD: few: new version 0 {{.*}}gains by threads only, and there is one: 1
// TOLD: many: new version 1 {{.*}}original 0
#include <stdio.h>
#include <stdlib.h>

#define FIELDS float *restrict ex, float *restrict ey, float *restrict hz

#define STEPS                                                                                        \
  for (long s = 0; s < t; s++) {                                                                     \
    for (long i = 1; i < n; i++)                                                                     \
      for (long j = 0; j < m; j++)                                                                   \
        ey[i * m + j] -= 0.5f * (hz[i * m + j] - hz[(i - 1) * m + j]);                               \
    for (long i = 0; i < n; i++)                                                                     \
      for (long j = 1; j < m; j++)                                                                   \
        ex[i * m + j] += 0.5f * (hz[i * m + j] - hz[i * m + j - 1]);                                 \
    for (long i = 0; i < n - 1; i++)                                                                 \
      for (long j = 0; j < m - 1; j++)                                                               \
        hz[i * m + j] -= 0.3f * (ex[i * m + j + 1] - ex[i * m + j] - ey[(i + 1) * m + j] + ey[i * m + j]); \
  }

__attribute__((noinline)) void few(long n, long m, long t, FIELDS) {
  STEPS
}

__attribute__((noinline)) void many(long n, long m, long t, FIELDS) {
  STEPS
}

static float *field(long size, int from) {
  float *f = malloc(size * sizeof *f);
  for (long i = 0; i < size; i++)
    f[i] = (float)((i * 7 + from) % 11) * 0.125f;
  return f;
}

int main(void) {
  unsigned long hash = 0;
  for (int large = 0; large < 2; large++) {
    long n = large ? 3000 : 150, m = large ? 3000 : 160, t = large ? 1 : 40;
    float *ex = field(n * m, 1), *ey = field(n * m, 2), *hz = field(n * m, 3);
    (large ? many : few)(n, m, t, ex, ey, hz);
    for (long i = 0; i < n * m; i++)
      hash = hash * 31 + (unsigned long)(hz[i] * 4096.0f);
    free(ex), free(ey), free(hz);
  }
  printf("%lu\n", hash);
}
