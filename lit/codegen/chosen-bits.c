// A choice between numbers whose branch asks for a selection of bits, and counters behind an addition that only a conversion uses.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -S -o /dev/null %s 2>&1 | FileCheck --allow-empty %s
// CHECK-NOT: internal error
#include <stdint.h>
#include <stdlib.h>
void chosen(int n, int m, unsigned (*b)[m + 4], unsigned *e) {
  for (int i = 2; i < n; i += 3)
    for (int j = m; j >= 2; j--)
      for (int k = 2; k < n; k++) {
        int c = b[k][j] < 1 && 4 < e[k];
        unsigned s = c ? e[i] : b[k + 1][j] - e[k];
        b[k][j] = c ? 10 : 7;
        unsigned w[m];
        for (int l = 2; l < m; l++)
          w[l] = s >> 2;
        for (int l = 2; l < m + 2; l++)
          b[k + 1][l] = w[l];
        e[k] = s;
      }
}
void counted(int n, int m, uint16_t *p, uint16_t *q) {
  uint16_t **a = malloc(m * sizeof *a), **e = malloc(n * sizeof *e);
  for (int i = 0; i < m; i++)
    a[i] = p + i;
  for (int i = 0; i < n; i++)
    e[i] = q + i;
  for (int i = n; i >= 2; i--)
    for (int j = 2; j < m; j++)
      e[i][j] = (uint16_t)i;
  for (int j = 2; j < m; j++)
    for (int k = 2; k < n + 2; k++)
      a[j][k] = 1;
}
