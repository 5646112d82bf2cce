// Every second problem of a batch, whose matrix is read behind the loop: what is copied into panels for the last one ends at a bound that is no affine
// function, so nothing of it is copied.
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -c -o %t.o %s 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: error
static int m[80][80];
void factors(int problems, int n, int ld, const int *from, int *to) {
  for (int p = 0; p < problems; p += 2) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        m[i][j] = from[i];
    for (int k = 0; k < n; k++)
      for (int i = k + 1; i < n; i++) {
        m[i][k] = m[i][k] * (unsigned)(m[k][k] | 1);
        for (int j = k + 1; j < i + 1; j++)
          m[i][j] = m[i][j] - (unsigned)m[i][k] * m[j][k];
      }
    for (int i = 0; i < n; i++)
      to[p * ld + i] = m[i][0];
  }
}
int last(int i, int j) { return m[i][j]; }
