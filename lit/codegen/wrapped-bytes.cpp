// An automaton whose rows of bytes stand behind pointers and wrap around by remainders: how long a row is, as an `int`, is what is left of the distance of two
// addresses. Each address by itself is too large for a parameter, so that the original ran.
//
// RUN: %clangxx -O3 -march=native -fopenmp %s -o %t
// RUN: clang++-22 -O1 %s -o %t.plain
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t 200 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -fopenmp %s -o %t.new
// RUN: for n in 1 2 3 17 40; do %t.plain $n; done > %t.expected
// RUN: for n in 1 2 3 17 40; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 1 2 3 17 40; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
//
// CHECK: step{{.*}}: new version {{[1-9]}}
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Grid = std::vector<std::vector<uint8_t>>;

__attribute__((noinline)) void step(const Grid &a, Grid &b) {
  int h = a.size(), w = a[0].size();
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int n = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dy || dx)
            n += a[(y + dy + h) % h][(x + dx + w) % w] > 0;
      uint8_t c = a[y][x];
      b[y][x] = c ? (n == 2 || n == 3 ? (c < 250 ? c + 1 : 250) : 0) : (n == 3);
    }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50;
  Grid a(n, std::vector<uint8_t>(n + 12)), b = a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n + 12; j++)
      a[i][j] = (i * 31 + j * 17 + i * j) % 5 == 0;
  for (int t = 0; t < 10; t++) {
    step(a, b);
    a.swap(b);
  }
  unsigned long sum = 0;
  for (auto &r : a)
    for (auto c : r)
      sum = sum * 31 + c;
  printf("%d %lu\n", n, sum);
}
