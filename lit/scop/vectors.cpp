// Vectors and classes over them: lengths are quotients of differences of pointers, and pointers and sizes are loaded in the nest.
// RUN: %clangxx -O3 -g1 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
#include <cstddef>
#include <vector>

// CHECK: vectors.cpp:[[@LINE+2]]:3: remark: loop nest transformed
void lengths(std::vector<int> &a, const std::vector<int> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b.size(); j++)
      a[i] += b[j];
}

// CHECK: vectors.cpp:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}register tile
void product(std::vector<double> &c, const std::vector<double> &a, const std::vector<double> &b, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

class matrix {
  int rows_, columns_;
  std::vector<double> data_;

public:
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double &operator()(int i, int j) { return data_[std::size_t(i) * columns_ + j]; }
  double operator()(int i, int j) const { return data_[std::size_t(i) * columns_ + j]; }
};

// CHECK: vectors.cpp:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}register tile
void product(matrix &c, const matrix &a, const matrix &b) {
  for (int i = 0; i < a.rows(); i++)
    for (int j = 0; j < b.columns(); j++)
      for (int k = 0; k < a.columns(); k++)
        c(i, j) += a(i, k) * b(k, j);
}
