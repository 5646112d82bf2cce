// Loops over `u[i].size()` elements of all rows but the first and the last one: those two may have other lengths. Loops over `u[0].size()` elements that ask for the size behind a condition: the nest begins behind that, and needs no other row's length. Rows on a torus
// with `int` subscripts are chosen by signed remainders.
// RUN: %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -march=native -ffp-contract=on %s -o %t.plain && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clangxx -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>
using Rows = std::vector<std::vector<double>>;

// CHECK-DAG: first-row-length.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement
__attribute__((noinline)) void relax(Rows &u, double w) {
  for (std::size_t i = 1; i + 1 < u.size(); i++)
    for (std::size_t j = 1; j + 1 < u[0].size(); j++)
      u[i][j] = (1 - w) * u[i][j] + w * .25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

// CHECK-DAG: first-row-length.cpp:[[@LINE+3]]:{{[0-9]+}}: remark: loop nest transformed: 9 statements
__attribute__((noinline)) void torus(const Rows &u, Rows &v, double k) {
  int n = (int)u.size(), m = (int)u[0].size();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      v[i][j] = u[(i - 1 + n) % n][j] + u[(i + 1) % n][j] + u[i][(j - 1 + m) % m] + u[i][(j + 1) % m] - k * u[i][j];
}

// CHECK-DAG: first-row-length.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed: {{[0-9]+}} statements
__attribute__((noinline)) void around(int n, int m, double *const *u, double **v, double k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      v[i][j] = u[(i - 2 + n) % n][j] - k * u[(i + 2) % n][(j + 3) % m];
}

// CHECK-DAG: first-row-length.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement
__attribute__((noinline)) void inside(const Rows &u, Rows &v, double k) {
  for (std::size_t i = 1; i + 1 < u.size(); i++)
    for (std::size_t j = 1; j + 1 < u[i].size(); j++)
      v[i][j] = u[i][j] + k * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

static Rows rows(int n, int m, int longer) {
  Rows all;
  for (int i = 0; i < n; i++) {
    all.emplace_back(i == longer ? m + 5 : m);
    for (std::size_t j = 0; j < all[i].size(); j++)
      all[i][j] = (double)((i * 7 + j * 13) % 31);
  }
  return all;
}

static void say(const char *what, const Rows &all) {
  unsigned long h = 1;
  for (auto &row : all)
    for (double x : row) {
      unsigned long bits;
      std::memcpy(&bits, &x, 8);
      h = (h << 5 | h >> 59) ^ bits;
    }
  std::printf("%s %lx\n", what, h);
}

int main() {
  for (int n : {3, 4, 20, 67})
    for (int m : {4, 5, 33, 64})
      for (int longer : {-1, 1, n - 1}) {
        Rows u = rows(n, m, longer), v = rows(n, m + 5, -1);
        relax(u, .7);
        say("relax", u);
        for (int less = 0; less < 2 && longer != 1; less++) {
          u[0].resize(m - less);
          u[n - 1].resize(m + 2 * less);
          inside(u, v, .25);
          say("inside", v);
        }
        u[0].resize(m, 1.5);
        torus(u, v, 3.5);
        say("torus", v);
        std::vector<double *> from, to;
        for (int i = 0; i < n; i++) {
          from.push_back(u[i].data());
          to.push_back(v[i].data());
        }
        around(n, m, from.data(), to.data(), .5);
        say("around", v);
      }
}
