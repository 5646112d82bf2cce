// A size that is an argument or else a constant, and its square, which is computed where the argument is read and a constant beside it:
// behind the merge the square is one of the size again, so that filling all elements is left out and the product's version runs.
// RUN: %clangxx -O3 -march=native -fopenmp %s -o %t.new
// RUN: clang++-22 -O1 -ffp-contract=on -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2> %t.told | cmp - %t.expected
// RUN: FileCheck %s < %t.told
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clangxx -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: %t.plain 37 > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced 37 | cmp - %t.expected
#include <cstdio>
#include <cstdlib>
#include <vector>
// CHECK: main: new version 1
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 7;
    b[i] = i % 5 - 2;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
  fwrite(c.data(), sizeof c[0], n * n, stdout);
}
