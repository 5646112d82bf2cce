// Two sizes in one structure come as one number of 64 bits. Each half is a size of its own, whatever the other one is; also where the number is in
// memory, and where what is used of it is no whole half.
// RUN: env POLYTILE=min-work=0 %clang -O3 -g1 -Rpass-analysis=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -fopenmp %s -o %t.new
// RUN: %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.new 2> %t.ran | diff %t.expected -
// RUN: FileCheck --check-prefix=RAN %s < %t.ran
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int width, height;
  double *at;
} image;

// CHECK-DAG: two-sizes.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; argument 2 of blur[][], argument 4 of blur[][]
__attribute__((noinline)) void blur(image a, image b) {
  for (int y = 1; y < a.height - 1; y++)
    for (int x = 1; x < a.width - 1; x++)
      b.at[y * b.width + x] = 0.25 * (a.at[y * a.width + x - 1] + a.at[y * a.width + x + 1] + a.at[(y - 1) * a.width + x] +
                                      a.at[(y + 1) * a.width + x]);
}

// The height of 'b' is not used.
// CHECK-DAG: two-sizes.c:[[@LINE+2]]:3: remark: static control part: 2 statements, 4 loops; argument 2 of product[][]
__attribute__((noinline)) void product(image a, image b, image c) {
  for (int y = 0; y < a.height; y++)
    for (int x = 0; x < b.width; x++) {
      double sum = 0;
      for (int k = 0; k < a.width; k++)
        sum += a.at[y * a.width + k] * b.at[k * b.width + x];
      c.at[y * c.width + x] = sum;
    }
}

typedef struct {
  unsigned short width, height;
  double *at;
} icon;

// CHECK-DAG: two-sizes.c:[[@LINE+2]]:3: remark: static control part: 1 statement, 2 loops; argument 2 of shift[][], argument 4 of shift[][]
__attribute__((noinline)) void shift(icon a, icon b) {
  for (int y = 1; y < a.height; y++)
    for (int x = 0; x < a.width; x++)
      b.at[y * b.width + x] = a.at[(y - 1) * a.width + x] + 1;
}

// Who needs all bits of a number has one number.
__attribute__((noinline)) long whole(long n, double *a) {
  for (int i = 0; i < (int)n; i++)
    a[i] += 1;
  return n * 3;
}
__attribute__((noinline)) long chosen(long n, double *a) {
  for (int i = 0; i < (int)n; i++)
    a[i] += 1;
  switch (n) {
  case 50:
    return 7;
  case (1L << 40) + 50:
    return 9;
  case 3000:
    return 11;
  case 2:
    return 13;
  }
  return 0;
}

// RAN: blur: new version 1 ({{.*}}), original 0
// RAN: product: new version 1 ({{.*}}), original 0
// RAN: shift: new version 1 ({{.*}}), original 0

static image make(int width, int height) {
  image made = {width, height, malloc(sizeof(double) * width * height)};
  for (int i = 0; i < width * height; i++)
    made.at[i] = i % 17;
  return made;
}

int main(void) {
  image a = make(300, 200), b = make(300, 310), c = make(310, 205);
  blur(a, b);
  product(a, b, c);
  icon d = {90, 80, a.at}, e = {95, 81, b.at};
  shift(d, e);
  double sum = whole((3L << 32) + 50, a.at) + chosen(50, a.at) * 3 + chosen((1L << 40) + 50, a.at);
  for (int i = 0; i < 310 * 200; i++)
    sum += c.at[i] * (i % 7) + b.at[i];
  printf("%.17g\n", sum);
}
