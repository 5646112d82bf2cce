// A check behind a nest that ends in a throw: its landing pad is also that of later calls and takes the address that the nest's
// bound was made of, to free it. On the edge from the throw, which only the original reaches, it keeps the original's value.
// RUN: env "POLYTILE=verify=on" %clangxx -std=c++20 -O3 -march=znver4 -fopenmp -c %s -o %t.o -Rpass=polytile 2>&1 | FileCheck %s
// RUN: clang++-22 -std=c++20 -O1 -march=native %s -o %t.plain && %t.plain 40 > %t.expected
// RUN: env "POLYTILE=verify=on;min-work=0;parallel-min-us=0" %clangxx -std=c++20 -O3 -march=native -fopenmp %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.new 40 | cmp - %t.expected
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <ranges>
#include <span>
#include <vector>
using std::size_t;
using std::views::iota;

struct Table {
  size_t r, c;
  std::vector<double> d;
  Table(size_t r, size_t c) : r(r), c(c), d(r * c) {}
  std::span<double> operator[](size_t i) { return std::span(d).subspan(i * c, c); }
};

static std::vector<double> means(const Table &a) {
  std::vector<double> m(a.c);
  for (auto j : iota(size_t{0}, a.c)) {
    double s = 0;
    for (auto i : iota(size_t{0}, a.r))
      s += a.d[i * a.c + j];
    m[j] = s / a.r;
  }
  return m;
}

static void center(Table &a, std::span<const double> m) {
  for (auto i : iota(size_t{0}, a.r))
    std::ranges::transform(a[i], m, a[i].begin(), std::minus<>{});
}

// CHECK: landing-pads.cpp:{{[0-9]+}}:{{[0-9]+}}: remark: loop nest transformed
// CHECK-NOT: internal error
int main(int argc, char **argv) {
  size_t n = argc > 1 ? atoi(argv[1]) : 80, m = n + 3;
  Table a(n, m), c(n / 8 + 1, m);
  auto mean = means(a);
  center(a, mean);
  Table g(n, n);
  std::vector<size_t> counts(1);
  unsigned long h = 1;
  for (auto k : counts)
    h = (h ^ k) * 1099511628211ul;
  std::printf("%lx %a %a\n", h, mean[0], a.d[n]);
}
