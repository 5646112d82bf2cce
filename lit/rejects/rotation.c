// Values that rotate around an outer loop make each of its steps wait for the one before.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: rotation.c:[[@LINE+3]]:3: {{.*}}: values rotate around a loop that contains loops
void rotation(int n, double *restrict a, double *restrict b) {
  double x = b[0], y = b[1];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i + j] += x;
    double t = x;
    x = y;
    y = t;
  }
}
