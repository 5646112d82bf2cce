// A minimum that begins with what its cell held is no update of a cell that begins with the greatest number: not even where only some iterations read the
// cell that they write, as on a diagonal.
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fwrapv -fopenmp %s -o %t.all
// RUN: %t.all | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void mirrored(long n, int *s, const int *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      int least = s[i * n + j];
      for (long k = 0; k < j; k++)
        if (a[k * n + j] < least)
          least = a[k * n + j];
      s[j * n + i] = least;
    }
}
__attribute__((noinline)) void halved(int n, int *s, const int *a) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      int most = s[i * n + j] / 2;
      if (i < j - 1 && s[(i + 1) * n + j - 1] + a[i] > most)
        most = s[(i + 1) * n + j - 1] + a[i];
      for (int k = i + 1; k < j; k++)
        if (s[i * n + k] + s[(k + 1) * n + j] > most)
          most = s[i * n + k] + s[(k + 1) * n + j];
      s[i * n + j] = most;
    }
}
int main(void) {
  enum { N = 300 };
  int *s = malloc(N * N * sizeof(int)), *a = malloc(N * N * sizeof(int));
  for (int n = 2; n <= N; n = n * 5 + 10) {
    unsigned sum = 0;
    for (int i = 0; i < n * n; i++) {
      s[i] = i * 37 % 10007;
      a[i] = i * 53 % 8999 + 3000;
    }
    mirrored(n, s, a);
    for (int i = 0; i < n * n; i++)
      sum = sum * 31 + s[i];
    for (int i = 0; i < n * n; i++)
      s[i] = i * 37 % 201 - 100;
    halved(n, s, a);
    for (int i = 0; i < n * n; i++)
      sum = sum * 31 + s[i];
    printf("%u\n", sum);
  }
}
