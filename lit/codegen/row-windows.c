// A nest fills an array that a later one takes up some rows around its own, and nobody reads it behind both: a window of a few rows takes its place. Threads
// have windows of their own, and compute the rows in front of their blocks again.
// RUN: env "POLYTILE=dump=ast;select=model" %clang -O3 -march=znver4 -S -emit-llvm -o - %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=log=debug" %clang -O3 -march=znver4 -S -emit-llvm -o /dev/null %s 2>&1 | grep -E "rewrite:" | FileCheck --check-prefix=WHY %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.windows
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.windows | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 MALLOC_PERTURB_=255 %t.windows | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel=off;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.alone && %t.alone | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=run" %clang -O3 -march=native -DMAIN %s -o %t.both && %t.both | cmp - %t.expected
#include <stdlib.h>

// WHY: blur{{.*}}: 2 nests, A1 of 8 rows, blocks of 64 rows: Same
// CHECK: // parallel {{.*}} private A1
// CHECK-NEXT: for ([[T:c[0-9]+]] = 0; [[T]] <= ((p0 + 3) / 64)
// CHECK: for ([[R:c[0-9]+]] = max(4, (8 - (64 * [[T]])))
// CHECK: // vector
// CHECK: S0([[T]], [[R]], [[X:c[0-9]+]]);
// CHECK-NEXT: S1([[T]], [[R]], [[X]]);
// CHECK-LABEL: define {{.*}}@blur(
void blur(int h, int w, float in[h][w], float out[h][w]) {
  float(*t)[w] = malloc(sizeof(float) * h * w);
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++)
      t[y][x] = 0.25f * in[y][x - 2] + in[y][x] + 0.25f * in[y][x + 2];
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++)
      out[y][x] = 0.25f * t[y - 2][x] + t[y][x] + 0.25f * t[y + 2][x];
  free(t);
}

// Levels share nothing but the arrays: each thread has a window, and no row is computed again.
// WHY: levels{{.*}}: 3 nests, A1 of 2 rows, A2 of 2 rows: Same
void levels(int n, int h, int w, double in[n][h][w], double out[n][h][w]) {
  double(*lap)[w] = malloc(sizeof(double) * h * w), (*flux)[w] = malloc(sizeof(double) * h * w);
  for (int k = 0; k < n; k++) {
    for (int y = 1; y < h - 1; y++)
      for (int x = 1; x < w - 1; x++)
        lap[y][x] = 4 * in[k][y][x] - in[k][y - 1][x] - in[k][y + 1][x] - in[k][y][x - 1] - in[k][y][x + 1];
    for (int y = 1; y < h - 2; y++)
      for (int x = 1; x < w - 1; x++) {
        double f = lap[y + 1][x] - lap[y][x];
        flux[y][x] = f * (in[k][y + 1][x] - in[k][y][x]) > 0 ? 0 : f;
      }
    for (int y = 2; y < h - 2; y++)
      for (int x = 1; x < w - 1; x++)
        out[k][y][x] = in[k][y][x] - 0.1 * (flux[y][x] - flux[y - 1][x]);
  }
  free(lap);
  free(flux);
}

// In place: rows that are computed again would find what was written, so there are no blocks.
// WHY: in_place{{.*}}: 2 nests, A1 of 2 rows, blocks of 64 rows: Other("S0 finds another value in
// WHY: in_place{{.*}}: 2 nests, A1 of 2 rows: Same
void in_place(int h, int w, float u[h][w]) {
  float(*f)[w] = malloc(sizeof(float) * h * w);
  for (int y = 1; y < h; y++)
    for (int x = 0; x < w; x++)
      f[y][x] = u[y][x] * u[y][x] - u[y - 1][x];
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      u[y][x] -= 0.125f * (f[y + 1][x] - f[y][x]);
  free(f);
}

static __attribute__((noinline)) void weights(int h, int w, float t[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      t[y][x] = (y * 7 + x * 3) % 11;
}

// What the nests only read was there before: it is no window.
// WHY-NOT: weighted{{.*}} nests
void weighted(int h, int w, float in[h][w], float out[h][w]) {
  float(*t)[w] = malloc(sizeof(float) * h * w);
  weights(h, w, t);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = in[y][x] * t[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[h + y][x] = in[y][x] + t[y][x];
  free(t);
}

// Not all that is read was written: the border is zero.
// WHY: border{{.*}}: Other("S1 finds what was before in
void border(int h, int w, float in[h][w], float out[h][w]) {
  float(*t)[w] = calloc((size_t)h * w, sizeof(float));
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      t[y][x] = 2 * in[y][x];
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = t[y - 1][x] + t[y + 1][x];
  free(t);
}

// Each row needs all of them: there is no proposal.
// WHY-NOT: turned
void turned(int h, int w, float in[h][w], float out[h][w]) {
  float(*t)[w] = malloc(sizeof(float) * h * w);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      t[y][x] = 2 * in[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = t[h - 1 - y][x] + 1;
  free(t);
}

#ifdef MAIN
#include <stdio.h>
enum { N = 170 };
static float a[2 * N * N], b[N * N];
static double c[3 * 40 * 50], d[3 * 40 * 50];
static void fill(void) {
  for (int i = 0; i < 2 * N * N; i++)
    a[i] = (i * 7 % 31) * 0.125f;
  for (int i = 0; i < N * N; i++)
    b[i] = i % 13;
  for (int i = 0; i < 3 * 40 * 50; i++)
    c[i] = (i * 5 % 17) * 0.25, d[i] = 1;
}
static void show(const void *p, size_t bytes) {
  unsigned long sum = 0;
  for (size_t i = 0; i < bytes; i++)
    sum = sum * 31 + ((const unsigned char *)p)[i];
  printf("%lx\n", sum);
}
int main(void) {
  static const int sizes[] = {0, 1, 4, 5, 6, 63, 64, 65, 68, 131, N};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int w = 1; w <= N; w = 3 * w + 2) {
      int h = sizes[k];
      fill();
      blur(h, w, (void *)a, (void *)b), show(b, sizeof b);
      // What is written is read, so the rows behind wait for all of it.
      blur(h, w, (void *)a, (void *)(a + 5)), show(a, sizeof a);
      fill();
      in_place(h, w, (void *)a), show(a, sizeof a);
      border(h, w, (void *)a, (void *)b), show(b, sizeof b);
      turned(h, w, (void *)a, (void *)b), show(b, sizeof b);
      weighted(h / 2, w, (void *)a, (void *)b), show(b, sizeof b);
      if (h <= 40 && w <= 50)
        levels(3, h, w, (void *)c, (void *)d), show(d, sizeof d);
    }
  fill();
  levels(3, 40, 50, (void *)c, (void *)d), show(d, sizeof d);
}
#endif
