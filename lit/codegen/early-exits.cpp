// A factorization of a matrix in a vector that throws at a bad pivot: what is thrown, and the state behind it, are the original's.
// RUN: %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: clang++-22 -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

__attribute__((noinline)) void factorize(std::vector<double> &a, int n) {
  // CHECK: early-exits.cpp:[[@LINE+1]]:3: remark: loop nest transformed
  for (int j = 0; j < n; j++) {
    double d = a[j * n + j];
    for (int k = 0; k < j; k++)
      d -= a[j * n + k] * a[j * n + k];
    if (d <= 0)
      throw std::runtime_error("row " + std::to_string(j));
    d = std::sqrt(d);
    a[j * n + j] = d;
    for (int i = j + 1; i < n; i++) {
      double s = a[i * n + j];
      for (int k = 0; k < j; k++)
        s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s / d;
    }
  }
}

int main() {
  for (int n : {1, 3, 40, 130, 200})
    for (int bad : {n, 0, n / 2, n - 1}) {
      std::vector<double> a(n * n);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          a[i * n + j] = i != j ? 1.0 / (1 + std::abs(i - j)) : i == bad ? -1 : n;
      for (int again = 0; again < 12; again++)
        try {
          std::vector<double> b = a;
          factorize(again ? b : a, n);
          printf("passed %d %d\n", n, bad);
        } catch (const std::exception &e) {
          printf("%s\n", e.what());
        }
      double sum = 0;
      for (int i = 0; i < n * n; i++)
        sum += a[i] * (1 + i % 31);
      printf("%.17g\n", sum);
    }
}
