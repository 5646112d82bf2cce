// Temporaries of C++ as windows: arrays behind unique pointers, which are deleted on every way out, and vectors, whose pointers are null where they have no elements.
// RUN: env "POLYTILE=log=debug;min-work=0" %clangxx -O2 -march=znver4 -S -emit-llvm -o /dev/null %s 2>&1 | grep -E "rewrite:" | FileCheck %s
// RUN: clang++-22 -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O2 -march=native -fopenmp -DMAIN %s -o %t.windows
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.windows | cmp - %t.expected
#include <cstddef>
#include <memory>
#include <vector>

// CHECK: corners{{.*}}: 3 nests, A1 of 1 rows, A2 of 4 rows, blocks of 64 rows: Same
extern "C" __attribute__((noinline)) void corners(int h, int w, const float *in, float *out) {
  auto make = [&] { return std::unique_ptr<float[]>(new float[std::size_t(h) * w]); };
  auto at = [w](int y, int x) { return std::size_t(y) * w + x; };
  auto g = make(), p = make();
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w - 1; x++)
      g[at(y, x)] = in[at(y, x + 1)] - in[at(y, x - 1)];
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w - 1; x++)
      p[at(y, x)] = g[at(y, x)] * g[at(y, x)];
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      out[at(y, x)] = p[at(y - 1, x)] + p[at(y, x)] + p[at(y + 1, x)];
}

// The pointer of a vector is null where it has no elements, and the distance of its ends is not its place.
// CHECK: smooth{{.*}}: 2 nests, A1 of 4 rows, blocks of 64 rows: Same
extern "C" __attribute__((noinline)) void smooth(int h, int w, const float *in, float *out) {
  std::vector<float> s(std::size_t(h) * w);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      s[std::size_t(y) * w + x] = 0.5f * in[std::size_t(y) * w + x] + 1;
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      out[std::size_t(y) * w + x] = s[std::size_t(y - 1) * w + x] + s[std::size_t(y + 1) * w + x];
}

#ifdef MAIN
#include <cstdio>
int main() {
  for (int h : {1, 2, 3, 65, 130})
    for (int w : {1, 3, 40}) {
      std::vector<float> in(h * w), out(h * w, 1);
      for (int i = 0; i < h * w; i++)
        in[i] = i * 7 % 31;
      corners(h, w, in.data(), out.data());
      smooth(h, w, in.data(), in.data());
      float sum = 0;
      for (int i = 0; i < h * w; i++)
        sum = sum * 0.5f + out[i] + 3 * in[i];
      std::printf("%a\n", sum);
    }
}
#endif
