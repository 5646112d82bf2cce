// What an array holds bounds the work of a nest: where a new version would never run, none is made.
// RUN: %clang -O1 -g1 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env POLYTILE=min-work=0 %clang -O1 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=FORCED
double x[8][8], y[8][8], z[4000][4000];

// CHECK: short.c:[[@LINE+3]]:3: remark: loop nest not transformed: no gain expected: too few iterations
// FORCED: short.c:[[@LINE+2]]:3: remark: loop nest transformed
void few(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] = x[i][j] * y[j][i];
}

// CHECK: short.c:[[@LINE+2]]:3: remark: loop nest transformed
void many(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      z[i][j] = z[i][j] * 2;
}
