// A box filter in steps: running means along rows and then along columns, each by a line of sums that the iteration allocates. The loop of the steps is
// around both, and in each step each thread begins with a line of its own.
// RUN: env POLYTILE=dump=ast %clangxx -O3 -march=x86-64-v4 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env 'POLYTILE=min-work=0;parallel-min-us=0;verify=on' %clangxx -O3 -march=native -fopenmp %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#include <algorithm>
#include <cstdio>
#include <vector>

static void means(std::vector<float> &img, int w, int h, int r) {
  std::vector<float> along(w * h);
  for (int y = 0; y < h; y++) {
    std::vector<float> s(w + 1);
    s[0] = 0;
    for (int x = 0; x < w; x++)
      s[x + 1] = s[x] + img[y * w + x];
    for (int x = 0; x < w; x++) {
      int a = std::max(0, x - r), b = std::min(w, x + r + 1);
      along[y * w + x] = (s[b] - s[a]) / (b - a);
    }
  }
  for (int x = 0; x < w; x++) {
    std::vector<float> s(h + 1);
    s[0] = 0;
    for (int y = 0; y < h; y++)
      s[y + 1] = s[y] + along[y * w + x];
    for (int y = 0; y < h; y++) {
      int a = std::max(0, y - r), b = std::min(h, y + r + 1);
      img[y * w + x] = (s[b] - s[a]) / (b - a);
    }
  }
}

// CHECK: for (c{{[0-9]+}} = 0; c{{[0-9]+}} <= 5;
// CHECK: // parallel Static
// CHECK: // 1 x 16 lanes
// CHECK: // parallel Static
// CHECK: // vector
int main() {
  int w = 800, h = 600;
  std::vector<float> img(w * h);
  for (int k = 0; k < w * h; k++)
    img[k] = k * 37 % 251 / 251.f;
  for (int t = 0; t < 6; t++)
    means(img, w, h, 4);
  for (int k = 0; k < w * h; k += 97)
    printf("%a\n", img[k]);
}
