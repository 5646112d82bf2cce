// What a matrix product becomes: a check that the arrays do not overlap, with the original behind it; a parallel loop
// in a function of its own; register tiles, whose rows of C stay in vector registers.
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s
// RUN: env POLYTILE=parallel=off %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck --check-prefix=SEQUENTIAL %s
// RUN: env POLYTILE=vectorize=off %clang -O3 -march=znver4 -fno-vectorize -fno-slp-vectorize -S -emit-llvm -o - %s | FileCheck --check-prefix=SCALAR %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -DMAIN %s -o %t.tiled && %t.tiled | cmp - %t.expected
// CHECK: define {{.*}}@product(
// CHECK: call i64 @polytile.threads(i64
// CHECK: call i64 @polytile.fork(ptr {{.*}}, ptr nonnull @[[TASK:product[a-z.]*task]],
// CHECK: define internal {{.*}}@[[PART:product[a-z.]*team]](
// CHECK: phi <8 x double>
// CHECK: phi <8 x double>
// CHECK: define internal {{.*}}@[[TASK]](
// CHECK: call {{.*}}@[[PART]](
// SEQUENTIAL-NOT: __kmpc
// SEQUENTIAL: phi <8 x double>
// SEQUENTIAL-NOT: __kmpc
// SCALAR: define {{.*}}@product(
// SCALAR-NOT: x double>
void product(int n, double (*a)[400], double (*b)[400], double (*c)[400]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
#ifdef MAIN
#include <stdio.h>
#include <string.h>
static double x[400][400], y[400][400], z[400][400];
static void fill(void) {
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 400; j++) {
      x[i][j] = (i * 7 + j) % 31 * 0.125;
      y[i][j] = (i + j * 5) % 29 * 1e-3;
      z[i][j] = i - j;
    }
}
static unsigned long bits(void) {
  unsigned long h = 0, w;
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 400; j++) {
      memcpy(&w, &z[i][j], 8);
      h = h * 1099511628211 + w;
    }
  return h;
}
// Called through a pointer that the compiler does not know, so that nothing is inlined.
static void (*volatile f)(int, double (*)[400], double (*)[400], double (*)[400]) = product;
int main(void) {
  const int sizes[] = {0, 1, 7, 193, 400};
  for (int i = 0; i < 5; i++) {
    fill();
    f(sizes[i], x, y, z);
    printf("%d %lx\n", sizes[i], bits());
  }
  fill();
  f(150, z, y, z); // overlap: the original
  printf("same %lx\n", bits());
  fill();
  f(150, (double (*)[400])(&z[0][3]), y, z);
  printf("shifted %lx\n", bits());
}
#endif
