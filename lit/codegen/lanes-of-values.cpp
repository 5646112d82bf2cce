// Values that are vectors in the program (two floats of a structure that come in one register) have lanes of their own, and elements that all lanes read are
// handed on from step to step as lanes, converted or not.
// RUN: env POLYTILE=verify=on %clangxx -O3 -march=native -c %s -o /dev/null
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.new
// RUN: clang++-22 -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <cstdio>
#include <cstring>

struct V {
  float x, y, z;
  V operator-(V o) const { return {x - o.x, y - o.y, z - o.z}; }
};
struct S {
  float m[9];
  int k;
  V v, f;
};

__attribute__((noinline)) void distances(int n, int m, float *x, S *s) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++) {
      V d = s[i].v - s[j].v;
      float r = d.x * d.x + d.y * d.y;
      x[i] += r;
    }
}

__attribute__((noinline)) void sums(int n, int m, float *a, float *x, float *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) {
      s += a[i * 100 + j] * x[j];
      s += a[i * 100 + j + 1] * x[j + 1];
    }
    y[i] = s;
  }
}

static S s[70];
static float a[80 * 100], x[100], y[80];

int main() {
  for (int i = 0; i < 70; i++)
    s[i].v = {i * 0.5f, i % 7 * 0.25f, 1};
  for (int i = 0; i < 8000; i++)
    a[i] = i % 11 * 0.125f;
  for (int i = 0; i < 100; i++)
    x[i] = i % 5 * 0.75f;
  sums(75, 90, a, x, y);
  distances(60, 50, x, s);
  unsigned hash = 0;
  for (float f : x) {
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    hash = hash * 31 + bits;
  }
  for (float f : y) {
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    hash = hash * 31 + bits;
  }
  std::printf("%u\n", hash);
}
