// Arrays that are only read need no rows: windows of an image overlap, and frames of a signal. Their bytes only have to be apart from what is
// written, whatever the strides are: 0, negative, larger than memory.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -fwrapv-pointer -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -fwrapv-pointer -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN -DWINDOWS %s -o %t.windows
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.windows 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS-NOT: not as assumed
#include <stdio.h>
#define NI __attribute__((noinline))

// Stride and dilation of a convolution.
// CHECK: scop "window
// CHECK-NOT: p_fit
// CHECK-NOT: assume stride
// CHECK: array M{{[0-9]}}_in f32 memory {{.*}} extents ()
NI void window(float *out, const float *in, const float *w, long n, long m, long k, long row, long ys, long xs, long yd, long xd) {
  for (long y = 0; y < n; y++)
    for (long x = 0; x < m; x++) {
      float s = out[y * m + x];
      for (long v = 0; v < k; v++)
        for (long u = 0; u < k; u++)
          s += w[v * k + u] * in[y * ys * row + v * yd * row + x * xs + u * xd];
      out[y * m + x] = s;
    }
}

// Frames of a signal.
// CHECK: scop "frames
// CHECK-NOT: assume in-bounds
// CHECK: array M{{[0-9]}}_x f64 memory {{.*}} extents ()
NI void frames(double *out, const double *x, const double *window, int count, int hop, int length) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < length; j++)
      out[i * length + j] = x[i * hop + j] * window[j];
}

// Rows that are written have to be apart.
// CHECK: scop "added
// CHECK: assume in-bounds
NI void added(double *out, const double *x, int count, int hop, int length) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < length; j++)
      out[i * hop + j] += x[i * length + j];
}

// The corner of a triangle that nothing touches lies behind the array, where something else is written.
NI void triangle(double *out, const double *x, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n - i; j++)
      out[i] += x[i * m + j];
}

#ifdef MAIN
#define N 30000
static float in[N], out[N], w[100];
static double a[N], b[N];
static void fill(void) {
  for (int i = 0; i < N; i++)
    in[i] = i * 37 % 101 * .25f, a[i] = i * 53 % 97 * .5, b[i] = out[i] = 0;
  for (int i = 0; i < 100; i++)
    w[i] = i * 29 % 83;
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * .75 + in[i] + out[i] + a[i] + b[i];
  printf("%.17g\n", s);
}
int main(void) {
#ifdef WINDOWS
  fill(), window(out, in, w, 40, 40, 3, 50, 1, 1, 1, 1), show();
  fill(), window(out, in, w, 40, 40, 3, 90, 2, 2, 1, 2), show();
  fill(), frames(b, a, a + 20000, 60, 64, 256), show();
#else
  static const long strides[][4] = {{1, 1, 1, 1}, {2, 2, 1, 1}, {1, 1, 2, 3}, {0, 1, 1, 0}, {0, 0, 0, 0}, {-1, 1, 1, -1}, {1, -2, -3, 1}, {-1, -1, -1, -1}};
  for (int i = 0; i < 8; i++)
    for (long n = 0; n < 21; n += n < 3 ? 1 : 9)
      for (long row = -31; row < 60; row += 30) {
        const long *s = strides[i];
        fill(), window(out, in + N / 2, w, n, n + 1, 3, row, s[0], s[1], s[2], s[3]), show();
        // What is read is written, or lies right behind or in front of it.
        fill(), window(in + N / 2, in + N / 2, w, n, n + 1, 2, row, s[0], s[1], s[2], s[3]), show();
        fill(), window(in + N / 2 - n * (n + 1), in + N / 2, w, n, n + 1, 2, row, s[0], s[1], s[2], s[3]), show();
        fill(), window(in + N / 2 + 31 * n, in + N / 2, w, n, n + 1, 2, row, s[0], s[1], s[2], s[3]), show();
      }
  // Strides that are addresses modulo 2^64 only.
  for (long far = 60; far < 63; far++) {
    long s = 1L << far;
    fill(), window(out, in + 100, w, 9, 9, 3, 16, s, 1, 1, 1), show();
    fill(), window(in, in + 100, w, 17, 9, 3, 16, s, 1, 1, 1), show();
  }
  long around = 1L << 62;
  fill(), window(in + 16, in, w, 1, 17, 1, 1, 1, around, 1, 1), show();
  fill(), window(in + 50, in, w, 33, 9, 2, around, 2, 1, 4, around), show();
  for (int n = 0; n < 40; n += n < 4 ? 1 : 12)
    for (int hop = -20; hop < 80; hop += 17) {
      fill(), frames(b, a + N / 2, a, n, hop, 40), show();
      fill(), frames(a + N / 2 - 300, a + N / 2, a, n, hop, 40), show();
      fill(), added(b + N / 2, a, n, hop, 40), show();
      fill(), added(a + N / 2, a, n, hop, 40), show();
      fill(), triangle(b, a, n, n + hop % 3), show();
      fill(), triangle(a + n * n - n / 2, a, n, n), show();
    }
#endif
}
#endif
