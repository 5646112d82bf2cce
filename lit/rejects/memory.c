// Accesses that have no place in the model, and loops that no region holds.
// RUN: %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
#include <string.h>

// CHECK: memory.c:[[@LINE+2]]:3: {{.*}}: the length of a memory operation depends on data at {{.*}}memory.c:[[@LINE+4]]:
void lengths(int n, int *restrict length, double (*restrict a)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      memset(a[i + j], 0, length[j] * sizeof(double));
}

// CHECK: memory.c:[[@LINE+2]]:3: {{.*}}: a subscript of 'argument 2 of address_as_number' is not affine at {{.*}}memory.c:[[@LINE+4]]:
void address_as_number(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i + j + ((long)(b + i * j) & 63)] += 1;
}

// One array or the other, whichever lies lower: neither is where the address begins.
// CHECK: memory.c:[[@LINE+3]]:3: {{.*}}: an address has no base pointer at {{.*}}memory.c:[[@LINE+5]]:
void lower(int n, double *a, double *b) {
  double *p = a < b ? a : b;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p[i + j] += 1;
}

// CHECK: memory.c:[[@LINE+2]]:3: {{.*}}: memory allocated in a loop at {{.*}}memory.c:[[@LINE+4]]:
void allocates(int n, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      char *p = __builtin_alloca(j);
      p[0] = i;
      p[j - 1] = j;
      b[i + j] += p[j / 2];
    }
}

// CHECK: memory.c:[[@LINE+2]]:3: {{.*}}: instruction 'atomicrmw' at
void atomic(int n, int *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      __atomic_fetch_add(&a[i + j], 1, __ATOMIC_RELAXED);
}

// The reason is the program's, not what became of the loop inside.
// CHECK: memory.c:[[@LINE+2]]:3: {{.*}}: it has no exit
_Noreturn void forever(int n, double *restrict a) {
  for (;;)
    for (int j = 0; j < n; j++)
      a[j] = a[j] * 0.5 + 1;
}
// CHECK-NOT: remark
