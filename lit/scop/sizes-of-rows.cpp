// Loops to `a[i].size()`: what lies between a row's end and its begin is taken for the same in all rows, which is compared in front, as is whether rows
// are empty. Rows may lie anywhere. Where one is shorter, the original runs.
// RUN: %clangxx -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -march=native -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RAN: add{{.*}}: new version 11 ({{.*}}), original 7; sizes or subscripts not as assumed: 4;
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t.new 2>&1 >/dev/null | FileCheck %s --check-prefix=RAN
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>
template <class T> using matrix = std::vector<std::vector<T>>;

// CHECK: scop "{{.*}}add
// CHECK: rows {{.*}} length v{{[0-9]+}} behind 1 distance 8
// CHECK: domain { S0[i0, i1] : 0 <= i0 < {{.*}} and 0 <= i1 < {{.*}} }
__attribute__((noinline)) void add(matrix<double> &a, const matrix<double> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < a[i].size(); j++)
      a[i][j] += b[i][j];
}

// CHECK: scop "{{.*}}twice
// CHECK: rows {{.*}} length v{{[0-9]+}} behind 1 distance 2
__attribute__((noinline)) void twice(matrix<short> &a) {
  for (auto &row : a)
    for (std::size_t j = 0; j < row.size(); j++)
      row[j] *= 2;
}

#ifdef MAIN
int main() {
  double sum = 0;
  for (int n : {0, 1, 2, 3, 9, 40, 41}) {
    matrix<double> a(n, std::vector<double>(n + 3)), b(n, std::vector<double>(n + 4));
    matrix<short> c(n, std::vector<short>(n));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = (i * 7 + j * 3) % 11 * .25, b[i][j] = i - j, c[i][j] = i * j;
    add(a, b);
    if (n > 2)
      std::swap(a[0], a[n - 1]);
    add(a, b);
    twice(c);
    if (n > 2) {
      a[1].resize(n / 2);
      c[n - 1].clear();
    }
    add(a, b);
    twice(c);
    for (auto &m : a)
      for (double x : m)
        sum = sum * .75 + x;
    for (auto &m : c)
      for (short x : m)
        sum = sum * .75 + x;
    std::printf("%a\n", sum);
  }
}
#endif
