// Why a loop nest stays as it is, with the line of the nest and, where one instruction is to blame, its line too.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O1 -g1 -foptimization-record-passes=polytile -foptimization-record-file=%t.yaml -S -o /dev/null %s
// RUN: FileCheck --check-prefix=YAML %s < %t.yaml
struct list {
  struct list *next;
  int value;
};
void effects(int);

// CHECK: reasons.c:[[@LINE+2]]:3: remark: loop nest not transformed: a subscript of 'argument 2' is not affine
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

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: the number of iterations cannot be computed
void doubling(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j *= 2)
      a[i + j] += 1;
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: the number of iterations cannot be computed
void list(int n, struct list *l, int *a) {
  for (int i = 0; i < n; i++)
    for (struct list *p = l; p; p = p->next)
      a[i] += p->value;
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: it has 2 exits
void leaves_early(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (a[i + j] == 0)
        return;
      b[j] += i;
    }
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: '{{.*}}' is accessed with elements of several sizes
void two_sizes(int n, char *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      ((int *)a)[i + j] = i;
      ((short *)a)[j] += i;
    }
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: instruction 'switch' at {{.*}}reasons.c:[[@LINE+4]]:
void many_ways(int n, int *restrict a, int *restrict b, int *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (c[i]) {
      case 1: a[j] = 1; break;
      case 7: b[j] = 2; break;
      case 20: a[j + i] = 5; break;
      case 44: c[j] = 9;
      }
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: call of 'effects', which has effects at {{.*}}reasons.c:[[@LINE+5]]:
void calls(int n, int *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i + j] = 1;
      effects(j);
    }
}

// CHECK: reasons.c:[[@LINE+3]]:3: {{.*}}: nothing is written
int largest(int n, int *a) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (a[i + j] > s)
        s = a[i + j];
  return s;
}

// CHECK: reasons.c:[[@LINE+2]]:3: {{.*}}: a volatile or atomic access at {{.*}}reasons.c:[[@LINE+4]]:
void device(int n, volatile int *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i + j] = 1;
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
// YAML-NEXT: DebugLoc: { File: {{.*}}reasons.c{{.*}}, Line: 13, Column: 3 }
// YAML-NEXT: Function: product_of_indices
// YAML-NEXT: Args:
// YAML-NEXT: - String: 'loop nest not transformed: '
// YAML-NEXT: - Reason: 'a subscript of {{.*}} is not affine'
// YAML: Function: indirect
// YAML: Reason: a subscript depends on data
// YAML: At: '{{.*}}reasons.c:
