// Values that rotate around a loop have no order in which one cell each could hold them.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: rotation.c:[[@LINE+3]]:3: {{.*}}: values rotate around a loop
void rotation(int n, double *restrict a) {
  double x = a[0], y = a[1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i + j] = x;
      double t = x;
      x = y;
      y = t;
    }
}
