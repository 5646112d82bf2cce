// A row that a loop begins with, loaded in front of it, is one of the table's like those that it goes on with.
// RUN: %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clangxx -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
// CHECK: first-row.cpp:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) int distance(const std::string &a, const std::string &b, std::vector<std::vector<int>> &d) {
  for (size_t i = 1; i <= a.size(); i++)
    for (size_t j = 1; j <= b.size(); j++) {
      int sub = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, sub});
    }
  return d[a.size()][b.size()];
}

int main() {
  for (int n = 0; n < 200; n += 1 + n / 3) {
    std::string a, b;
    for (int i = 0; i < n; i++)
      a += char('a' + i * i % 3), b += char('a' + i * 5 % 3);
    b += "abc";
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); i++)
      d[i][0] = i;
    for (size_t j = 0; j <= b.size(); j++)
      d[0][j] = j;
    std::printf("%d\n", distance(a, b, d));
  }
}
