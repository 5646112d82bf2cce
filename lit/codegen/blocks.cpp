// Vectors that live for one iteration: they are null where they have no elements, the second one may throw, and what is computed with begin and end are distances.
// RUN: clang++-22 -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <cstdio>
#include <memory>
#include <vector>

#define KERNEL __attribute__((noinline))

// CHECK: blocks.cpp:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}vector loop
KERNEL void lines(std::vector<double> &u, int n, int m) {
  for (int i = 0; i < n; i++) {
    std::vector<double> c(m), d(m);
    c[0] = .2, d[0] = u[i * m];
    for (int j = 1; j < m; j++) {
      double q = 1 / (2.5 - .4 * c[j - 1]);
      c[j] = .4 * q;
      d[j] = (u[i * m + j] + .4 * d[j - 1]) * q;
    }
    u[i * m + m - 1] = d[m - 1];
    for (int j = m - 2; j >= 0; j--)
      u[i * m + j] = d[j] - c[j] * u[i * m + j + 1];
  }
}

static std::vector<double> scaled(const double *row, int m, double by) {
  std::vector<double> t(m);
  for (int j = 0; j < m; j++)
    t[j] = row[j] * by;
  return t;
}

// CHECK: blocks.cpp:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL void returned(double *u, int n, int m) {
  for (int i = 0; i < n; i++) {
    auto t = scaled(u + i * m, m, 1. / (i + 1));
    for (int j = 0; j < m; j++)
      u[i * m + j] += t[m - 1 - j];
  }
}

// CHECK: blocks.cpp:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL void filled(double *u, int n, int m) {
  for (int i = 0; i < n; i++) {
    std::vector<double> t(m, .75);
    for (int j = 1; j < m; j += 2)
      t[j] = u[i * m + j];
    for (int j = 0; j < m; j++)
      u[i * m + j] = u[i * m + j] * .5 + t[j];
  }
}

// CHECK: blocks.cpp:[[@LINE+2]]:3: remark: loop nest transformed
KERNEL void owned(double *u, int n, int m) {
  for (int i = 0; i < n; i++) {
    std::unique_ptr<double[]> t(new double[m]);
    for (int j = 0; j < m; j++)
      t[j] = u[i * m + j];
    for (int j = 1; j < m - 1; j++)
      u[i * m + j] = .25 * t[j - 1] + .5 * t[j] + .25 * t[j + 1];
  }
}

// In some iterations only.
KERNEL void some(double *u, int n, int m) {
  for (int i = 0; i < n; i++)
    if (i % 2) {
      std::vector<float> t(m);
      for (int j = 0; j < m; j++)
        t[j] = u[i * m + j];
      for (int j = 1; j < m; j++)
        u[i * m + j] = t[j] - t[j - 1];
    }
}

// The last one is kept.
KERNEL double kept(const double *u, int n, int m) {
  std::vector<double> last;
  for (int i = 0; i < n; i++) {
    std::vector<double> t(m);
    for (int j = 0; j < m; j++)
      t[j] = u[i * m + j] + (j ? t[j - 1] * .5 : 0);
    last.swap(t);
  }
  double sum = 0;
  for (double x : last)
    sum += x;
  return sum;
}

static void show(const char *name, const std::vector<double> &u) {
  double sum = 0;
  for (double x : u)
    sum = sum * .99 + x;
  std::printf("%s %.17g\n", name, sum);
}

int main() {
  for (int size = 1; size < 80; size += 13) {
    int n = size, m = size + 9;
    std::vector<double> u(n * m);
    for (int k = 0; k < n * m; k++)
      u[k] = k % 17 + .25;
    lines(u, n, m);
    show("lines", u);
    returned(u.data(), n, m);
    show("returned", u);
    filled(u.data(), n, m);
    show("filled", u);
    filled(u.data(), n, 0);
    owned(u.data(), n, m);
    show("owned", u);
    some(u.data(), n, m);
    show("some", u);
    std::printf("%.17g\n", kept(u.data(), n, m));
  }
}
