// Loops from one pointer to another: iterators, range-based loops, algorithms. The number of elements between two pointers is computed in
// front of the nest, for addresses are too large for parameters; records of any size are steps.
// RUN: %clangxx -O2 -std=c++20 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -std=c++20 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -std=c++20 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>
#define NI __attribute__((noinline))
struct Body {
  double p[3], a[3], m;
  int tag, id;
};

// CHECK: scop "{{.*}}combined
// CHECK: write { S0[i0] -> {{.*}}[i0] }
NI void combined(std::vector<double> &v, const std::vector<double> &w) {
  std::transform(v.begin(), v.end(), w.begin(), v.begin(), [](double a, double b) { return a * b + a / (b * b + 1); });
}

// CHECK: scop "{{.*}}attracted
// CHECK: domain { S{{[0-9]}}[i0, i1] : 0 <= i0 <= [[N:p[a-z0-9_]*]] and 0 <= i1 <= [[N]] }
NI void attracted(std::vector<Body> &bodies) {
  for (Body &a : bodies) {
    double s = 0;
    for (const Body &b : bodies) {
      double d = b.p[0] - a.p[0];
      s += b.m * d / (d * d + 1);
    }
    a.a[1] = s;
  }
}

// Pointers into one array, which may be the same or lie apart by less than their length.
// CHECK: scop "{{.*}}walked
// CHECK: write { S0[i0] -> {{.*}}[i0] }
NI void walked(double *to, double *end, const double *from) {
  while (to != end)
    *to++ = *from++ * .5 + 1;
}

// Backwards.
// CHECK: scop "{{.*}}backwards
NI void backwards(const std::vector<float> &v, std::vector<float> &w) {
  auto to = w.begin();
  for (auto it = v.rbegin(); it != v.rend(); ++it)
    *to++ += *it;
}

// One range inside of another, and a pointer that runs through both: not seen as a row per element.
NI void table(const std::vector<float> &a, const std::vector<float> &b, std::vector<float> &c) {
  auto to = c.begin();
  for (float x : a)
    for (float y : b)
      *to++ = x * y;
}

NI double summed(const std::vector<Body> &bodies, std::vector<double> &mass) {
  std::transform(bodies.begin(), bodies.end(), mass.begin(), [](const Body &b) { return b.m * 2; });
  return std::inner_product(mass.begin(), mass.end(), mass.begin(), 0.0);
}

#ifdef MAIN
int main() {
  for (int n = 0; n < 90; n += n < 5 ? 1 : 28) {
    std::vector<double> v(n), w(n), line(2 * n + 3);
    std::vector<float> a(n), b(n + 1), c(n * (n + 1));
    std::vector<Body> bodies(n);
    for (int i = 0; i < n; i++) {
      v[i] = i * 37 % 101 * .25, w[i] = i * 53 % 97, a[i] = i * 29 % 83, b[i + 1] = i * .5f;
      bodies[i] = {{i * .75, 1, 2}, {0, 0, 0}, 1.0 + i % 7, i, -i};
    }
    std::iota(line.begin(), line.end(), 1.0);
    combined(v, w), combined(w, w), attracted(bodies);
    walked(line.data(), line.data() + n, line.data() + n), walked(line.data() + 1, line.data() + 1 + n, line.data());
    walked(line.data(), line.data() + n, line.data() + 2);
    backwards(a, b), table(a, b, c);
    double s = summed(bodies, v);
    for (int i = 0; i < n; i++)
      s = s * .75 + v[i] + w[i] + a[i] + b[i + 1] + bodies[i].a[1] + bodies[i].a[0] + bodies[i].tag;
    for (double x : line)
      s = s * .75 + x;
    for (float x : c)
      s = s * .75 + x;
    printf("%d %a\n", n, s);
  }
}
#endif
