// A filter of a picture whose sizes are sums (`n + 7`), between loops that go through all of it as one row: together they agree on
// no rows, so the filter is looked at alone.
// RUN: env POLYTILE=verify=on %clang -O3 -march=znver4 -fopenmp -c %s -o %t.o -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain 50 > %t.expected
// RUN: env "POLYTILE=verify=on;min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.new 50 | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int w, h;
  unsigned char *px;
} Image;

static Image *make(int w, int h) {
  Image *m = malloc(sizeof *m);
  m->w = w;
  m->h = h;
  m->px = calloc(w * h + 1, 1);
  return m;
}

static void dilate(const Image *a, Image *b) {
  // CHECK: pictures-and-rows.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement
  for (int y = 1; y < a->h - 1; y++)
    for (int x = 1; x < a->w - 1; x++) {
      unsigned char m = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
          unsigned char v = a->px[(y + j) * a->w + x + i];
          if (v > m)
            m = v;
        }
      b->px[y * b->w + x] = m;
    }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), w = n + 7, h = n + 3;
  Image *a = make(w, h), *b = make(w, h);
  for (int i = 0; i < w * h; i++)
    a->px[i] = i * 7;
  dilate(a, b);
  int s = 0;
  for (int i = 0; i < w * h; i++)
    s = s * 31 + b->px[i];
  printf("%d\n", s);
}
