// "The subscript stays in its row, or the loops do not run" is a union, and each access adds its own. Domains that are one piece where
// that holds keep the cases of this nest few; it is modelled long before its work is spent, and declined for what it would gain.
// RUN: %clang -O3 -march=x86-64-v3 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
float A2[48][23];
struct record {
  float A0[25][48];
};
void cases(int n, long e, float *restrict A1, struct record *restrict record) {
  for (unsigned i = 0; i < n; i++) {
    for (unsigned j = i; j < n; j++)
      for (unsigned k = i + 1; (long)k < n - (long)j; k++)
        A1[i * e + j + 2] += (((long)j + 2) % 8) * 0.125f * A2[j][i] - MAX(A2[k][i], 1.0f);
    // CHECK: cases.c:[[@LINE+1]]:5: remark: loop nest not transformed: no gain expected
    for (unsigned j = 0; j < i + 1; j += 2)
      for (unsigned k = 0; k < MIN(n, j + 8); k += 2) {
        record->A0[j + 1][2 * k + 2] += A2[i][k] * (record->A0[j + 1][k + 2] * A2[2 * i + 1][k]);
        if (j + 2 == i)
          record->A0[k + 1][j + 2] += record->A0[(((long)j - 1) % 9) + 1][k + i + 2];
      }
  }
}
