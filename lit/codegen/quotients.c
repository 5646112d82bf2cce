// A cell whose subscripts divide is affine in the model, and its address is not: no register tile, and the nest is transformed
// all the same. Nests beside it keep theirs.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=x86-64-v3 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -DMAIN %s -o %t.new && %t.new | cmp - %t.expected
// CHECK-NOT: register tile:
// CHECK: quotients.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement
void scaled(int n, float (*restrict a)[4], float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[(i + j) / 4][(i + j) % 4] *= x[j];
}
// CHECK: quotients.c:[[@LINE+2]]:3: remark: loop nest transformed: 2 statements, {{.*}} 1 register tile
void both(int n, int m, float (*restrict a)[4], float *restrict x, float (*restrict c)[100], float (*restrict b)[100], float (*restrict d)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[(i + j) / 4][(i + j) % 4] *= x[j];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += b[i][k] * d[k][j];
}
#ifdef MAIN
#include <stdio.h>
static float a[60][4], x[100], c[100][100], b[100][100], d[100][100];
int main(void) {
  for (int i = 0; i < 100; i++) {
    x[i] = 1 + i % 7 / 8.0f;
    for (int j = 0; j < 100; j++)
      b[i][j] = (i * j) % 9, d[i][j] = (i + j) % 5;
  }
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 4; j++)
      a[i][j] = i + j;
  scaled(90, a, x);
  both(77, 93, a, x, c, b, d);
  fwrite(a, sizeof a, 1, stdout);
  fwrite(c, sizeof c, 1, stdout);
}
#endif
