// Rows behind pointers in the model: a matrix whose pitch only the table knows, and the entries of the table that the nest reads.
// RUN: env POLYTILE='dump=scop' %clangxx -O2 -fno-vectorize -S -o /dev/null %s 2>&1 | FileCheck %s
#include <vector>

// Entries are three pointers long: begin, end and end of the memory of a vector.
// CHECK: scop {{.*}}scale
// CHECK: array [[TABLE:[^ ]*]] ptr memory
// CHECK: array {{[^ ]*}}_rows f64 memory {{.*}} strides ((mul 8 [[PITCH:v[0-9]+]]) 8)
// CHECK: rows {{m[0-9]+ v[0-9]+}} through [[TABLE]] from 0 step 3 pitch [[PITCH]] element 8 {{.*}} mod 3 = 0
// CHECK: write {{.*}} -> {{[^ ]*}}_rows[
void scale(std::vector<std::vector<double>> &a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] *= 2;
}
