// A stencil over vectors of vectors: LLVM loads the pointer to the first row in front of the nest and hands each row's on from step to step. The
// load in front reads what the nest would read, so the pointer is that of a row like all others.
// RUN: %clangxx -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -march=native -ffp-contract=off -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -ffp-contract=off -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <cstddef>
#include <cstdio>
#include <vector>
using matrix = std::vector<std::vector<double>>;

// CHECK: scop "{{.*}}blur
// CHECK: read { S0[i0, i1] -> M{{[^ ]*}}rows[1 + i0, 1 + i1] }
// CHECK: read { S0[i0, i1] -> M{{[^ ]*}}rows[i0, 1 + i1] }
// CHECK: read { S0[i0, i1] -> M{{[^ ]*}}rows[2 + i0, 1 + i1] }
__attribute__((noinline)) void blur(const matrix &a, matrix &c) {
  for (std::size_t i = 1; i + 1 < a.size(); i++)
    for (std::size_t j = 1; j + 1 < a[0].size(); j++)
      c[i][j] = (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]) * .2;
}

// Two rows are handed on.
// CHECK: scop "{{.*}}behind
// CHECK: read { S0[i0, i1] -> M{{[^ ]*}}rows[i0, {{.*}}i1] }
__attribute__((noinline)) void behind(const matrix &a, matrix &c) {
  int n = a.size(), m = a[0].size();
  for (int i = 0; i < n - 2; i++)
    for (int j = 1; j < m - 1; j++)
      c[i][j] += a[i + 1][j - 1] + a[i][j] * .5 + a[i + 2][j + 1];
}

#ifdef MAIN
int main() {
  for (int n : {0, 1, 2, 3, 4, 9, 40}) {
    matrix a(n, std::vector<double>(n + 3)), c(n, std::vector<double>(n + 3));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n + 3; j++)
        a[i][j] = (i * 7 + j * 3) % 11 * .25;
    if (n) {
      blur(a, c);
      behind(a, c);
      blur(c, a);
      blur(a, a);
    }
    double sum = 0;
    for (auto &m : {a, c})
      for (auto &r : m)
        for (double x : r)
          sum = sum * .75 + x;
    std::printf("%a\n", sum);
  }
}
#endif
