// Accesses that no SCoP can hold: the message names the array or the instruction.
// RUN: %clang -O1 -g -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s

// CHECK: accesses.c:[[@LINE+2]]:3: remark: loop nest not transformed: a subscript of 'a' is not affine
void product_of_indices(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * j] += 1;
}

// CHECK: accesses.c:[[@LINE+2]]:3: {{.*}}: a subscript depends on data at {{.*}}accesses.c:[[@LINE+4]]:
void indirect(int n, int *restrict p, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[p[j]] += i;
}

// CHECK: accesses.c:[[@LINE+2]]:3: {{.*}}: a base pointer changes in the nest
void picked_rows(int n, double **restrict a, const int *p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[p[i]][j] += 1;
}

// CHECK: accesses.c:[[@LINE+2]]:3: {{.*}}: 'a' is accessed with elements of several sizes
void two_sizes(int n, char *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      ((int *)a)[i + j] = i;
      ((short *)a)[j] += i;
    }
}

// CHECK: accesses.c:[[@LINE+2]]:3: {{.*}}: a volatile or atomic access at {{.*}}accesses.c:[[@LINE+4]]:
void device(int n, volatile int *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i + j] = 1;
}

// CHECK: accesses.c:[[@LINE+3]]:3: {{.*}}: nothing is written
double total(int n, double *a) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += a[i + j];
  return s;
}
// CHECK-NOT: remark
