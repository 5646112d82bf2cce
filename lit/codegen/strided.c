// Addresses that do not wrap around zero in the program do not in the new version: LLVM's vectorizer loads what lies
// between the elements of a strided access with them and not element by element.
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64-v4 -S -emit-llvm -o %t.ll %s
// RUN: FileCheck %s --input-file=%t.ll --implicit-check-not=masked.gather
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=x86-64-v4 -fwrapv-pointer -S -emit-llvm -o - %s | FileCheck %s --check-prefix=WRAPS --implicit-check-not="getelementptr nusw"
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=native -DMAIN %s -o %t.new && %t.new | cmp - %t.expected
// RUN: env POLYTILE=min-work=0 %clang -O3 -march=native -fwrapv-pointer -DMAIN %s -o %t.wraps && %t.wraps | cmp - %t.expected
// WRAPS: define {{.*}} @half.polytile.
// WRAPS: define {{.*}} @wavelet.polytile.

// Every other element of a row, and its neighbour in the next row.
// CHECK-LABEL: define {{.*}} @half.polytile.team(
// CHECK: getelementptr nusw
__attribute__((noinline)) void half(int n, int m, double *restrict coarse, const double *restrict fine) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      coarse[i * m + j] = .5 * (fine[4 * i * m + 2 * j] + fine[4 * i * m + 2 * j + 1] + fine[(2 * i + 1) * 2 * m + 2 * j]);
}

// A pointer that walks over pairs.
// CHECK-LABEL: define {{.*}} @wavelet.polytile.team(
// CHECK: getelementptr nusw
__attribute__((noinline)) void wavelet(long n, long m, float *restrict low, const float *restrict signal) {
  for (long i = 0; i < n; i++) {
    const float *pair = signal + i * 2 * m;
    for (long j = 0; j < m; j++, pair += 2)
      low[i * m + j] = pair[0] + 3 * pair[1];
  }
}

// Records in rows that a table points to: each row is an object of its own.
// CHECK-LABEL: define {{.*}} @fields.polytile.team(
// CHECK: getelementptr nusw
struct cell {
  float x, y, z;
};
__attribute__((noinline)) void fields(int n, int m, struct cell **g) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      g[i][j].y -= .5f * (g[i][j].z - g[i - 1][j].z);
}

#ifdef MAIN
#include <stdio.h>
#define SIZE 67
static double fine[4 * SIZE * SIZE], coarse[SIZE * SIZE];
static float signal[2 * SIZE * SIZE], low[SIZE * SIZE];
int main(void) {
  for (int i = 0; i < 4 * SIZE * SIZE; i++)
    fine[i] = i % 31;
  for (int i = 0; i < 2 * SIZE * SIZE; i++)
    signal[i] = i % 29;
  for (int size = 0; size <= SIZE; size += 1 + size / 5) {
    half(size, SIZE - size / 3, coarse, fine);
    wavelet(SIZE - size / 2, size, low, signal);
    double sum = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
      sum += i * (coarse[i] + low[i]);
    printf("%.17g\n", sum);
  }
}
#endif
