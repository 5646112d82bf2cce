// A dynamic program over intervals whose maximum begins with elements of its own array, not with a constant: the maximum begins with the least number and
// takes these up like all others, so that the pairs of intervals run in register tiles before neighbours are done.
// RUN: %clang -O3 -march=native -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: %t.new | cmp - %t.expected
// CHECK: 1 register tile
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int folded(int n, const char *s, int *t) {
  for (int i = n - 1; i >= 0; i--) {
    t[i * n + i] = 0;
    for (int j = i + 1; j < n; j++) {
      int best = t[(i + 1) * n + j];
      if (t[i * n + j - 1] > best)
        best = t[i * n + j - 1];
      if (j - i > 3) {
        int paired = t[(i + 1) * n + j - 1] + (s[i] + s[j] == 3);
        if (paired > best)
          best = paired;
      }
      for (int k = i + 1; k < j; k++) {
        int parted = t[i * n + k] + t[(k + 1) * n + j];
        if (parted > best)
          best = parted;
      }
      t[i * n + j] = best;
    }
  }
  return t[n - 1];
}
#ifdef MAIN
int main(void) {
  enum { N = 230 };
  char s[N];
  for (int i = 0; i < N; i++)
    s[i] = i * i % 7 & 3;
  for (int n = 1; n <= N; n = n * 3 / 2 + 1) {
    int *t = calloc(n * n, sizeof(int));
    printf("%d", folded(n, s, t));
    unsigned sum = 0;
    for (int i = 0; i < n * n; i++)
      sum = sum * 31 + t[i];
    printf(" %u\n", sum);
    free(t);
  }
}
#endif
