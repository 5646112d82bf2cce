// Sums of several bands over one image, taken for nests that walk over it together: statements of one point of a band keep their
// order (a sliding sum: the sum is stored, then the element that leaves is taken off). Joined without it, the plan failed its check.
// RUN: env "POLYTILE=verify=on;min-work=0" %clang -O3 -march=native -fopenmp -c %s -o %t.o -Rpass=polytile 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=verify=on;min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.new | cmp - %t.expected
#include <stdio.h>

// CHECK: order-in-points.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
__attribute__((noinline)) void rows(const float *a, float *t, int w, int h, int r) {
  for (int y = 0; y < h; y++) {
    float s = 0;
    for (int x = 0; x < r && x < w; x++)
      s += a[y * w + x];
    for (int x = 0; x < w; x++) {
      if (x + r < w)
        s += a[y * w + x + r];
      if (x - r - 1 >= 0)
        s -= a[y * w + x - r - 1];
      t[y * w + x] = s;
    }
  }
}

#ifdef MAIN
float a[60 * 70], t[60 * 70];
int main(void) {
  for (int i = 0; i < 60 * 70; i++)
    a[i] = (i * 37 % 101) * .13f;
  for (int r = 0; r < 40; r += 3) {
    rows(a, t, 60, 70, r);
    rows(a, t, 33, 5, r);
    for (int i = 0; i < 60 * 70; i += 7)
      printf("%a\n", t[i]);
  }
}
#endif
