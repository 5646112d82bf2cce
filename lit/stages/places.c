// A loop without a position of its own, as flang makes them of whole arrays, is told where the first instruction in it is that has one.
// RUN: %plainclang -O1 -g1 -fno-unroll-loops -emit-llvm -S -o - %s | sed '/^ *br /s/, !dbg.*$//' > %t.ll
// RUN: not grep -q '^ *br .*!dbg' %t.ll
// RUN: %opt -passes='polytile<min-work=0>' -pass-remarks=polytile -disable-output %t.ll 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}places.c:[[#@LINE+4]]:{{[1-9][0-9]*}}: loop nest transformed
void product(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
