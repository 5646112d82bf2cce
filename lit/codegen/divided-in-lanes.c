// A quotient that stands still in a loop is made in front of it: LLVM's vectorizer makes a division under a condition for the lanes in which it holds, and takes
// the address of the first lane all the same.
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
struct pair {
  unsigned long x, y;
};
__attribute__((noinline)) void f(int n, int m, struct pair *a, unsigned long *b, const unsigned long *c, unsigned long *d) {
  for (unsigned left = m, i = 0; left-- > 0; i++) {
    for (int j = n - 1; j >= 0; j--) {
      for (int k = 0; k < n - 1; k++) {
        d[k + 2] = (unsigned long)j * j;
        unsigned long z = d[k + 3];
        d[k + 3] = b[(2 * i % m + 4) * (n + 8) + k + 4];
        b[(2 * i % m + 4) * (n + 8) + k + 4] = z;
      }
      for (unsigned k = n; k-- > 0;)
        a[k + 5].x = a[k + 4].y * a[k + 4].y * (d[k + 4] + 2);
    }
    unsigned k = 0;
    while (k < n) {
      for (int l = n / 2 - 1; l >= (long)k; l -= 3) {
        if (a[k + 6].y < c[(l + 2) * (m + 8) + m + 3 - i])
          break;
        d[l + 4] = a[l + 4].x * a[l + 4].x;
      }
      k++;
    }
  }
}
int main(void) {
  int n = 65, m = 48;
  unsigned long h = 0;
  struct pair *a = calloc(n + 8, sizeof *a);
  unsigned long *b = calloc((n + 8) * (m + 8), 8), *c = calloc((n + 8) * (m + 8), 8), *d = calloc(n + 8, 8);
  for (int i = 0; i < (n + 8) * (m + 8); i++)
    b[i] = i % 1000, c[i] = i * 7 % 1000;
  for (int i = 0; i < n + 8; i++)
    a[i].x = i, a[i].y = i * 3, d[i] = i * 5;
  f(n, m, a, b, c, d);
  for (int i = 0; i < (n + 8) * (m + 8); i++)
    h = h * 31 + b[i];
  for (int i = 0; i < n + 8; i++)
    h = h * 31 + a[i].x + 3 * d[i];
  printf("%lu\n", h);
}
