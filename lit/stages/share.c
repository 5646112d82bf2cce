// The search puts the passes of filters into common loops, most of whose work then runs one iteration after the other, and which are declined for it. The
// order of the source, which keeps them on threads, is taken instead.
// RUN: env POLYTILE=dump=model %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new && %t.new > %t.out
// RUN: %plainclang -O2 %s -o %t.plain && %t.plain | cmp - %t.out
// CHECK: model main 0 candidate plan
// CHECK: model main 0 candidate original's order {{.*}} chosen
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char byte;
typedef struct {
  int width, height;
  byte *at;
} image;

static int within(int x, int last) { return x < 0 ? 0 : x > last ? last : x; }

static byte at(const image *a, int x, int y) { return a->at[within(y, a->height - 1) * a->width + within(x, a->width - 1)]; }

static void smooth(const image *a, image *across, image *b) {
  static const int weights[5] = {1, 4, 6, 4, 1};
  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++) {
      int sum = 0;
      for (int k = -2; k <= 2; k++)
        sum += weights[k + 2] * at(a, x + k, y);
      across->at[y * across->width + x] = (sum + 8) >> 4;
    }
  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++) {
      int sum = 0;
      for (int k = -2; k <= 2; k++)
        sum += weights[k + 2] * at(across, x, y + k);
      b->at[y * b->width + x] = (sum + 8) >> 4;
    }
}

static void edges(const image *a, image *b) {
  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++) {
      int across = -at(a, x - 1, y - 1) + at(a, x + 1, y - 1) - 2 * at(a, x - 1, y) + 2 * at(a, x + 1, y) - at(a, x - 1, y + 1) +
                   at(a, x + 1, y + 1);
      int down = -at(a, x - 1, y - 1) - 2 * at(a, x, y - 1) - at(a, x + 1, y - 1) + at(a, x - 1, y + 1) + 2 * at(a, x, y + 1) +
                 at(a, x + 1, y + 1);
      int sum = abs(across) + abs(down);
      b->at[y * b->width + x] = sum > 255 ? 255 : sum;
    }
}

static void dilate(const image *a, image *b) {
  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++) {
      byte most = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
          byte here = at(a, x + i, y + j);
          if (here > most)
            most = here;
        }
      b->at[y * b->width + x] = most;
    }
}

int main(void) {
  int width = 1200, height = 900, all = width * height;
  image a = {width, height, malloc(all)}, b = {width, height, malloc(all)}, c = {width, height, malloc(all)};
  for (int i = 0; i < all; i++)
    a.at[i] = i * 7 + i / width * 13;
  for (int t = 0; t < 4; t++) {
    smooth(&a, &b, &c);
    edges(&c, &b);
    dilate(&b, &a);
  }
  unsigned long sum = 0;
  for (int i = 0; i < all; i++)
    sum = sum * 31 + a.at[i];
  printf("%lu\n", sum);
}
