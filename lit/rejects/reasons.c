// Why a loop nest stays as it is, with the line of the nest and, where one instruction is to blame, its line too.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O1 -g1 -foptimization-record-passes=polytile -foptimization-record-file=%t.yaml -S -o /dev/null %s
// RUN: FileCheck --check-prefix=YAML %s < %t.yaml

// CHECK: reasons.c:[[@LINE+2]]:3: remark: loop nest not transformed: a subscript of 'argument 2 of product_of_indices' is not affine
void product_of_indices(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * j] += 1;
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: a subscript depends on data at {{.*}}reasons.c:[[@LINE+4]]:
void indirect(int n, int *restrict p, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[p[j]] += i;
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: instruction 'switch' at {{.*}}reasons.c:[[@LINE+4]]:
void many_ways(int n, int *restrict a, int *restrict b, int *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (c[i]) {
      case 1: a[j] = 1; break;
      case 7: b[j] = 2; break;
      case 20: a[j + i] = 5; break;
      case 44: c[j] = 9; break;
      case 59: a[j] = 3; break;
      case 63: b[j] = i; break;
      case 71: a[j + i] = j; break;
      case 88: c[j] = 8; break;
      case 99: b[j] = 1;
      }
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: no gain expected: nothing runs in parallel or in tiles
void recurrence(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[0] = a[0] * 0.5 + 1;
}
// CHECK-NOT: remark

// YAML: --- !Missed
// YAML-NEXT: Pass: polytile
// YAML-NEXT: Name: NotTransformed
// YAML-NEXT: DebugLoc: { File: {{.*}}reasons.c{{.*}}, Line: 8, Column: 3 }
// YAML-NEXT: Function: product_of_indices
// YAML-NEXT: Args:
// YAML-NEXT: - String: 'loop nest not transformed: '
// YAML-NEXT: - Reason: 'a subscript of {{.*}} is not affine'
// YAML: Function: indirect
// YAML: Reason: a subscript depends on data
// YAML: At: '{{.*}}reasons.c:
