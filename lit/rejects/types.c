// Elements and numbers of types that code generation has no plain form for.
// RUN: env POLYTILE=min-work=0 %clang -O1 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
#include <string.h>
typedef double row __attribute__((vector_size(32)));
typedef __int128 wide;

// A parameter of more than 64 bits.
// CHECK: types.c:[[@LINE+2]]:3: remark: loop nest not transformed: a parameter has no closed form of at most 64 bits
void parameter(long n, wide k, double (*restrict a)[100]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[(long)(i + k)][j] += 1;
}

// A value of more than 64 bits that changes with the iterators.
// CHECK: types.c:[[@LINE+2]]:3: remark: loop nest not transformed: an address or index of statement S0 has no closed form
void values(long n, wide (*restrict a)[100]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i][j] += i + (wide)j * 5 + ((wide)7 << 70);
}

// No load or store says what a memset writes.
// CHECK: types.c:[[@LINE+2]]:3: remark: loop nest not transformed: statement S0 accesses elements of a type that is not known
void clear(int n, row (*restrict a)[100], row (*restrict b)[100]) {
  for (int i = 0; i < n; i++) {
    memset(a[i], 0, sizeof(row) * n);
    for (int j = 0; j < n; j++)
      a[i][j] += b[i][j];
  }
}

// No array of ours holds a vector that is handed from iteration to iteration.
// CHECK: types.c:[[@LINE+2]]:3: remark: loop nest not transformed: a vector or structure is handed on between statements
void carried(int n, row (*restrict a)[100], double *restrict b) {
  for (int i = 0; i < n; i++) {
    row s = {};
    for (int j = 0; j < n; j++) {
      s += b[j];
      a[i][j] += s;
    }
    a[i][0] = s;
  }
}

// Pointers are addresses, not values.
// CHECK: types.c:[[@LINE+2]]:3: remark: loop nest not transformed: an instruction that cannot be part of a statement: getelementptr
void pointers(int n, double *(*restrict a)[100], double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b + i + j;
}

// A byte that is not known: elements of eight bytes have no value for it.
// CHECK: types.c:[[@LINE+2]]:3: remark: loop nest not transformed: an instruction that cannot be part of a statement: call
void bytes(int n, int c, double (*restrict a)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      memset(a[i + j], c, sizeof(double) * n);
}
// CHECK-NOT: remark
