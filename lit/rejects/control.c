// Control flow that no SCoP can hold.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
struct list {
  struct list *next;
  int value;
};
void effects(int);

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: the number of iterations cannot be computed
void doubling(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j *= 2)
      a[i + j] += 1;
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: the number of iterations is not an affine function
void product_of_bounds(int n, int m, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i * m; j++)
      a[i + j] += 1;
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: a loop bound depends on data
void ragged(int n, int *restrict length, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      a[i + j] += 1;
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: the number of iterations cannot be computed
void list(int n, struct list *l, int *a) {
  for (int i = 0; i < n; i++)
    for (struct list *p = l; p; p = p->next)
      a[i] += p->value;
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: it has 2 exits
void leaves_early(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (a[i + j] == 0)
        return;
      b[j] += i;
    }
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: call of 'effects', which has effects at {{.*}}control.c:[[@LINE+5]]:
void calls(int n, int *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i + j] = 1;
      effects(j);
    }
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: a call with unknown effects at {{.*}}control.c:[[@LINE+5]]:
void calls_by_pointer(int n, int *a, void (*f)(int)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i + j] = 1;
      f(j);
    }
}

// A nest in a loop beside another that cannot be in a region: the loop around both says what is in its way.
// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: the number of iterations cannot be computed
void beside(int n, double (*restrict a)[1000], double *restrict b) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] += 1;
    for (int i = 1; i < n; i *= 2)
      b[i] += 1;
  }
}

// CHECK: control.c:[[@LINE+2]]:3: {{.*}}: the number of iterations is not an affine function
void third(int n, double (*restrict a)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j != i / 3 * n; j++)
      a[i][j] += 1;
}

// A way into the middle of the loop around the nest: the nest is clean, but nothing around it has one entry.
// CHECK: control.c:[[@LINE+6]]:3: {{.*}}: control flow around it is irregular
void two_entries(int n, int m, double *restrict a) {
  int t = 0;
  if (m)
    goto middle;
top:
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] += 1;
middle:
  a[t] += 1;
  if (++t < n)
    goto top;
}

// Every nest has a remark of its own: the outer loop cannot be in a SCoP, and neither can the nest in it.
// CHECK: control.c:[[@LINE+3]]:3: {{.*}}: call of 'effects', which has effects at
// CHECK: control.c:[[@LINE+4]]:5: {{.*}}: a subscript of 'argument 2 of nest_in_a_loop' is not affine
void nest_in_a_loop(int n, double *restrict a) {
  for (int t = 0; t < n; t++) {
    effects(t);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i * j] += 1;
  }
}
// CHECK-NOT: remark
