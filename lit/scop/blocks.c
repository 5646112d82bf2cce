// Loops blocked by hand: eight elements are no row of an array whose other parts lie at a distance that is a size, as subscripts would be in
// such rows only where nothing runs.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "step
// CHECK: write { S0[i0, i1] -> M{{[0-9]}}_var[8i0 + i1] }
NI void step(int n, float *old, float *var, float *f) {
  for (int blk = 0; blk < n / 8; ++blk) {
    int b = blk * 8, e = (blk + 1) * 8 > n ? n : (blk + 1) * 8;
    for (int i = b; i < e; ++i) {
      float t = f[i] / 3.0f;
      var[i] = old[i] + t;
      var[i + n] = old[i + n] + t * 2;
      var[i + 2 * n] = old[i + 2 * n] + t * 3;
    }
  }
}

// The last block is shorter, and another part of the array is a size away: in rows of eight elements for tiny sizes only.
// CHECK: scop "ragged
// CHECK: write { {{.*}} -> M{{[0-9]}}_a[8i0 + i1] }
NI void ragged(int n, float *a, const float *f) {
  for (int b = 0; b < n; b += 8)
    for (int i = b; i < (b + 8 < n ? b + 8 : n); i++) {
      a[i] += f[i] * a[i + n];
      a[i + n] = f[i];
    }
}

#ifdef MAIN
#define N 4000
static float a[N], b[N], c[N];
static void fill(void) {
  for (int i = 0; i < N; i++)
    a[i] = i * 37 % 101 * .25f, b[i] = i * 53 % 97, c[i] = 0;
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * .75 + a[i] + b[i] + c[i];
  printf("%.17g\n", s);
}
int main(void) {
  for (int n = -9; n < 900; n += n < 20 ? 1 : 211) {
    fill(), step(n, a, c, b), show();
    fill(), step(n, a, a, b), show();
    fill(), step(n, a, a + n / 2 + 20, b), show();
    fill(), step(n, a, b, b), show();
    fill(), ragged(n, a + 20, b), show();
    fill(), ragged(n, a + 20, a + 20), show();
    fill(), ragged(n, a + 20, a + n / 2 + 20), show();
  }
}
#endif
