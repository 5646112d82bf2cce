// Layers that are constructed in a loop, with weights from a generator: the bodies of calls that are looked into, and the memory that each iteration allocates, do not all find their
// place again. The function is worked on once more without them, and its products are transformed.
// RUN: %clangxx -O3 -march=x86-64-v3 -g1 -Rpass=polytile -fno-caret-diagnostics -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -ffp-contract=off -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <cstdio>
#include <random>
#include <vector>

struct Layer {
  std::size_t in, out;
  std::vector<float> w, b;
  Layer(std::size_t i, std::size_t o, std::mt19937 &gen) : in(i), out(o), w(i * o), b(o) {
    for (auto &v : w)
      v = ((gen() >> 8) / 16777216.0f - 0.5f) * 0.1f;
    for (auto &v : b)
      v = ((gen() >> 8) / 16777216.0f - 0.5f) * 0.1f;
  }
  void operator()(const std::vector<float> &x, std::vector<float> &y, std::size_t rows) const {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t o = 0; o < out; ++o)
        y[r * out + o] = b[o];
      for (std::size_t i = 0; i < in; ++i)
        // CHECK-DAG: lent-back.cpp:{{[0-9]+}}:{{[0-9]+}}: remark: loop nest transformed: {{.*}}register tile
        for (std::size_t o = 0; o < out; ++o)
          y[r * out + o] += x[r * in + i] * w[i * out + o];
    }
  }
};

int main() {
  constexpr std::size_t rows = 60, width = 40, inner = 72;
  std::mt19937 gen(5);
  std::vector<float> x(rows * width), y(rows * inner), z(rows * width);
  for (auto &v : x)
    v = (gen() >> 8) / 16777216.0f - 0.5f;
  for (int layer = 0; layer < 4; ++layer) {
    Layer up(width, inner, gen), down(inner, width, gen);
    up(x, y, rows);
    for (auto &v : y)
      v = v > 0 ? v : 0.1f * v;
    down(y, z, rows);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += z[i];
  }
  double sum = 0;
  for (float v : x)
    sum = sum * 0.5 + v;
  std::printf("%a\n", sum);
}
