// The remark on a transformed nest: what the program has, the bands of its schedule, their tiles, and what is checked at run
// time. In records for tools each part has a key.
// RUN: %clang -O3 -march=znver4 -g -Rpass=polytile -Rpass-analysis=polytile -fsave-optimization-record -foptimization-record-file=%t.yaml -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=YAML %s < %t.yaml
// CHECK: remarks.c:[[@LINE+3]]:3: remark: static control part: 2 statements, 3 loops; C[][], A[][], B[][]
// CHECK: remarks.c:[[@LINE+2]]:3: remark: loop nest transformed: 2 statements, {{.*}}1 parallel loop, {{.*}}1 register tile, {{.*}}; bands of 3; tiles of {{[0-9]+ x [0-9]+ x all|all x [0-9]+ x [0-9]+}}, {{.*}}; at run time: 1 condition, 2 pairs of arrays apart, enough work
void product(int n, int m, int l, double C[n][m], double A[n][l], double B[l][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i][j] = 0;
      for (int k = 0; k < l; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
// YAML: Pass: polytile
// YAML: Name: Transformed
// YAML: Statements: '2'
// YAML: ParallelLoops: '1'
// YAML: Bands: '3'
// YAML: TileSizes: {{.*}} x {{.*}}
// YAML: Checks: {{.*}}enough work
