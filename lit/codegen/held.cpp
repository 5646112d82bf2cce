// Sizes and pointers that the nest loads again and again, because a store might change them, are read once; the version check
// finds out whether one does. Bytes are the same either way.
// RUN: env POLYTILE='min-work=0' %clangxx -O3 -g1 -fno-strict-aliasing -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -x c++ -O1 -fno-strict-aliasing %s -o %t.plain
// RUN: %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
#include <cstdio>

struct matrix {
  double *data;
  long columns;
  double &operator()(long i, long j) { return data[i * columns + j]; }
  double operator()(long i, long j) const { return data[i * columns + j]; }
};

// CHECK: held.cpp:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
__attribute__((noinline)) void product(matrix &c, const matrix &a, const matrix &b, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c(i, j) += a(i, k) * b(k, j);
}

// CHECK: held.cpp:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void scale(const int *n, int (*a)[100]) {
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < *n; j++)
      a[i][j] = a[i][j] * 2 + i;
}

struct image {
  int width, height;
  unsigned char *pixels;
};

// CHECK: held.cpp:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void blur(image *to, const image *from) {
  for (int y = 1; y < from->height - 1; y++)
    for (int x = 1; x < from->width - 1; x++)
      to->pixels[y * to->width + x] =
          (from->pixels[y * from->width + x - 1] + 2 * from->pixels[y * from->width + x] + from->pixels[y * from->width + x + 1]) / 4;
}

static double cells[3][40 * 40];
static int numbers[100][100];

static unsigned long hash() {
  unsigned long sum = 0;
  for (auto &row : cells)
    for (double x : row)
      sum = sum * 31 + (unsigned long)(long)x;
  for (auto &row : numbers)
    for (int x : row)
      sum = sum * 31 + (unsigned)x;
  return sum;
}

int main() {
  for (int i = 0; i < 1600; i++) {
    cells[0][i] = i % 7;
    cells[1][i] = i % 5;
    cells[2][i] = i % 3;
  }
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      numbers[i][j] = i + j;
  matrix c{cells[0], 40}, a{cells[1], 40}, b{cells[2], 40};
  product(c, a, b, 40);
  std::printf("%lu\n", hash());

  // The size lies in the array: it grows until it does not fit any more.
  numbers[3][1] = 20;
  scale(&numbers[3][1], numbers);
  std::printf("%lu\n", hash());
  int n = 90;
  scale(&n, numbers);
  std::printf("%lu\n", hash());

  static unsigned char pixels[2][64 * 48];
  for (int i = 0; i < 64 * 48; i++)
    pixels[0][i] = (unsigned char)(i * i + i / 7);
  image from{64, 48, pixels[0]}, to{64, 48, pixels[1]};
  blur(&to, &from);
  blur(&from, &from);
  unsigned sum = 0;
  for (int i = 0; i < 64 * 48; i++)
    sum = sum * 31 + pixels[0][i] * 7u + pixels[1][i];
  std::printf("%u\n", sum);

  // An operand's description lies in the result.
  static double all[2][1600];
  auto *inner = reinterpret_cast<matrix *>(&cells[0][9]);
  for (int i = 0; i < 1600; i++)
    all[0][i] = all[1][i] = 0;
  *inner = matrix{all[0], 40};
  product(c, *inner, a, 6);
  std::printf("%d\n", inner->data == all[0]);
}
