// Masked vectors where register tiles leave a few lanes need instructions for elements of that size: AVX2 has none for two bytes, where each lane would
// have a branch of its own.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v3 -c -o %t.o %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v4 -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v3 -DT=unsigned -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=ALL
#ifndef T
#define T unsigned short
#endif
void lu(int n, T (*M)[80]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      M[i][k] = M[i][k] * (unsigned)(M[k][k] | 1);
      for (int j = k + 1; j < n; j++)
        M[i][j] = M[i][j] - (unsigned)M[i][k] * M[k][j];
    }
}
// CHECK: tile
// CHECK: // short vector, scalar rest
// ALL: tile
// ALL: // short vector{{$}}
