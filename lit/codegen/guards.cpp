// Rows of an image that a mask leaves out, in vectors of vectors: rows that nobody asks for are empty.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -g1 -march=native -fopenmp -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: clang++-22 -O3 -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t | cmp - %t.expected
#include <cstdio>
#include <vector>

// CHECK: guards.cpp:[[@LINE+4]]:3: remark: loop nest transformed
__attribute__((noinline)) void blur(long height, long width, const std::vector<unsigned char> &mask, const float *in,
                                    float *out) {
  const unsigned char *rows = mask.data();
  for (long y = 1; y < height - 1; y++)
    if (rows[y])
      for (long x = 1; x < width - 1; x++)
        out[y * width + x] = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}

__attribute__((noinline)) void scale(const std::vector<int> &active, std::vector<std::vector<double>> &a, long columns) {
  for (unsigned long i = 0; i < active.size(); i++)
    if (active[i])
      for (long j = 0; j < columns; j++)
        a[i][j] = 0.5 * a[i][j] + j;
}

int main() {
  const long height = 90, width = 130;
  std::vector<unsigned char> mask(height);
  std::vector<float> in(height * width), out(height * width);
  std::vector<int> active(height);
  std::vector<std::vector<double>> rows(height);
  for (long y = 0; y < height; y++) {
    mask[y] = y * 7 % 3 == 1;
    active[y] = y * 5 % 4 > 1;
    if (active[y])
      rows[y].assign(width, y);
    for (long x = 0; x < width; x++)
      in[y * width + x] = (float)((x * 31 + y * 17) % 101);
  }
  blur(height, width, mask, in.data(), out.data());
  scale(active, rows, width);
  unsigned long hash = 0;
  for (float v : out)
    hash = hash * 31 + (unsigned long)(v * 4);
  for (auto &row : rows)
    for (double v : row)
      hash = hash * 31 + (unsigned long)(v * 2);
  std::printf("%lx\n", hash);
}
