// The layers of a network in a list: the sizes of each one are loaded in the loop over the list, and the sums inside are a product that its nest runs by register tiles.
// RUN: clang++-22 -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <cstdio>
#include <memory>
#include <vector>

struct Layer {
  int in, out;
  std::vector<float> weights, bias, values;
  Layer(int in, int out, int batch) : in(in), out(out), weights(in * out), bias(out), values(batch * out) {
    for (int i = 0; i < in * out; i++)
      weights[i] = (i * 37 % 101 - 50) / 128.0f;
    for (int o = 0; o < out; o++)
      bias[o] = o / 16.0f;
  }
};

using Layers = std::vector<std::unique_ptr<Layer>>;

__attribute__((noinline)) const std::vector<float> &forward(Layers &layers, const std::vector<float> &input, int batch) {
  const std::vector<float> *from = &input;
  for (auto &l : layers) {
    // CHECK: layers.cpp:[[@LINE+1]]:5: remark: loop nest transformed: {{.*}}register tile
    for (int b = 0; b < batch; b++)
      for (int o = 0; o < l->out; o++) {
        float sum = l->bias[o];
        for (int i = 0; i < l->in; i++)
          sum += l->weights[o * l->in + i] * (*from)[b * l->in + i];
        l->values[b * l->out + o] = sum > 0 ? sum : 0.01f * sum;
      }
    from = &l->values;
  }
  return *from;
}

int main() {
  for (int batch : {1, 5, 33}) {
    Layers layers;
    for (auto [in, out] : {std::pair(40, 61), std::pair(61, 17), std::pair(17, 3)})
      layers.push_back(std::make_unique<Layer>(in, out, batch));
    std::vector<float> input(batch * 40);
    for (int i = 0; i < batch * 40; i++)
      input[i] = (i * 7 % 13 - 6) / 8.0f;
    for (float v : forward(layers, input, batch))
      std::printf("%.9g\n", v);
  }
}
