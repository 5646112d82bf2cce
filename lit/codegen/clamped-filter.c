// Subscripts kept within an image by a minimum and a maximum: the statement falls apart where they begin to hold along the innermost loop, so that
// the inside is a stencil in vectors. Which row is read is known in front of that loop: there are no copies for the first and the last rows.
// RUN: env "POLYTILE=dump=scop;stop-after=scop;only=smooth" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64-v3 -S -o - %s -Rpass=polytile 2>%t.remarks | FileCheck --check-prefix=CODE %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
//
// SCOP: stmt S2
// SCOP: read { {{.*}}[i0, 2 + i1] }
// SCOP-NOT: stmt S3
//
// REMARK: loop nest transformed: 3 statements
//
// CODE-LABEL: smooth.polytile.team:
// CODE: vaddps {{.*}}(%r{{.*}}), %ymm
// CODE-LABEL: .cfi_endproc
#include <stdio.h>
#include <stdlib.h>
static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
__attribute__((noinline)) void smooth(int h, int w, float (*restrict in)[w], float (*restrict out)[w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = 0.2f * (in[y][x] + in[clamp(y - 1, 0, h - 1)][x] + in[clamp(y + 1, 0, h - 1)][x] + in[y][clamp(x - 1, 0, w - 1)] +
                          in[y][clamp(x + 1, 0, w - 1)]);
}
__attribute__((noinline)) void box(int h, int w, const unsigned char *in, unsigned char *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy < 0)
            yy = 0;
          if (yy >= h)
            yy = h - 1;
          if (xx < 0)
            xx = 0;
          if (xx >= w)
            xx = w - 1;
          s += in[yy * w + xx];
        }
      out[y * w + x] = s / 9;
    }
}
// The other way round: an image that is written and read with bounds of both loops.
__attribute__((noinline)) void echo(int h, int w, float (*restrict a)[w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y][x] = a[y > 2 ? y - 3 : 0][x < w - 2 ? x + 2 : w - 1] * 0.5f + a[y][x];
}
#ifdef MAIN
int main(void) {
  static const int sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {2, 9}, {17, 5}, {40, 67}, {1, 50}, {50, 1}};
  for (int s = 0; s < 9; ++s) {
    int h = sizes[s][0], w = sizes[s][1];
    float(*a)[w] = malloc(sizeof(float[h][w])), (*b)[w] = calloc(h, sizeof(float[w]));
    unsigned char *c = malloc(h * w), *d = calloc(h, w);
    for (int i = 0; i < h; ++i)
      for (int j = 0; j < w; ++j) {
        a[i][j] = (i * 31 + j * 17) % 23 / 5.f;
        c[i * w + j] = i * 7 + j * 13;
      }
    smooth(h, w, a, b);
    box(h, w, c, d);
    echo(h, w, a);
    unsigned long sum = 0;
    for (int i = 0; i < h; ++i)
      for (int j = 0; j < w; ++j) {
        union { float f; unsigned u; } x = {b[i][j]}, y = {a[i][j]};
        sum = sum * 31 + x.u + y.u * 7 + d[i * w + j];
      }
    printf("%d %d %lx\n", h, w, sum);
  }
}
#endif
