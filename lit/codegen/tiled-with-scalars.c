// Dot products in tiles made by hand are a product: the scalar of a sum belongs to its iteration and orders no tiles, and a pointer that moves by
// sext(k) is in the same tiles as a row at zext(k)*i.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -S -emit-llvm -Rpass=polytile %s -o %t.ll 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native -ffp-contract=on -DMAIN %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -ffp-contract=on -DMAIN %s -o %t.new
// RUN: %t.plain > %t.expected && %t.new | diff %t.expected -
//
// CHECK: loop nest transformed: {{.*}}1 register tile
static float dot(int n, const float *x, const float *y) {
  float s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
void product(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i += 16)
    for (int j = 0; j < n; j += 16) {
      int ie = m < i + 16 ? m : i + 16, je = n < j + 16 ? n : j + 16;
      for (int ii = i; ii < ie; ii++) {
        const float *row = a + ii * k, *column = b + j * k;
        float *to = c + ii * n;
        for (int jj = j; jj < je; jj++, column += k) to[jj] += dot(k, row, column);
      }
    }
}
#ifdef MAIN
#include <stdio.h>
static float a[70 * 70], b[70 * 70], c[70 * 70];
int main(void) {
  int sizes[][3] = {{1, 1, 1}, {16, 16, 16}, {15, 17, 33}, {48, 33, 7}, {70, 70, 70}, {0, 5, 5}, {5, 0, 5}, {20, 20, 0}, {-3, 4, 5}};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (int i = 0; i < 70 * 70; i++) a[i] = i % 13 * .37f - 2, b[i] = i % 11 * .29f - 1, c[i] = i % 7;
    product(sizes[s][0], sizes[s][1], sizes[s][2], a, b, c);
    for (int i = 0; i < 70 * 70; i++) printf("%a\n", c[i]);
  }
}
#endif
