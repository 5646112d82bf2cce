// Sums whose terms may come in any order: the original runs them in vector lanes along its innermost loop. The new version keeps
// that loop, and takes it for several threads only. Where that loop sums into a temporary, the sum is in a register there, for
// the vectorizer to find.
// RUN: %clang -O3 -mllvm -polytile-dump=ast -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -fopenmp -S -emit-llvm -o - %s | FileCheck %s -check-prefix=IR
// RUN: %clang -O3 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s -check-prefix=MISSED
// RUN: %clang -O3 -DMAIN %s -o %t.new && %plainclang -O1 -DMAIN %s -o %t.old
// RUN: env POLYTILE=min-work=0 %clang -O2 -DMAIN %s -o %t.forced
// RUN: %t.new > %t.new.txt && %t.old > %t.old.txt && cmp %t.new.txt %t.old.txt && %t.forced | cmp - %t.old.txt
#include <stdio.h>
#define FOR(i, first, end) for (long i = first; i < end; i++)
typedef unsigned char u8;

// CHECK-NOT: tile
// CHECK: parallel
// CHECK-NEXT: for (c0 = 0;
// CHECK: S0(c0);
// CHECK-NEXT: for (c1 = 0;
// CHECK-NEXT: S1(c0, c1);
// IR-LABEL: define {{.*}}@rows(
// IR: call i64 @polytile.threads(i64
void rows(long n, u8 *restrict a, u8 *restrict x, u8 *restrict y) {
  FOR(i, 0, n) {
    u8 sum = 0;
    FOR(j, 0, n) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

// CHECK-NOT: tile
// CHECK: for (c1 = 0;
// CHECK-NEXT: S1(c0, c1);
void maxima(long n, int *restrict a, int *restrict y) {
  FOR(i, 0, n) {
    int most = a[i * n];
    FOR(j, 1, n) most = a[i * n + j] > most ? a[i * n + j] : most;
    y[i] = most;
  }
}

// In place: the sums are in a temporary array. The loop over j adds up in a register, in lanes.
// CHECK-NOT: tile
// CHECK: S1(c0, c1);
// IR-LABEL: define internal {{.*}}@in_place.polytile
// IR: call i32 @llvm.vector.reduce.add
void in_place(long n, int *restrict a, int *restrict x) {
  FOR(i, 0, n) {
    int sum = 0;
    FOR(j, i, n) sum += a[i * n + j] * x[j];
    x[i] = sum;
  }
}

// Each row waits for the ones before, and columns would be walked down.
// MISSED: [[#@LINE+2]]:{{.*}}no gain expected: nothing runs in parallel
void substitution(long n, int *restrict a, int *restrict x) {
  FOR(i, 0, n) FOR(j, 0, i) x[i] -= a[i * n + j] * x[j];
}

// The sums down the columns have no lanes of their own.
// CHECK: tile
void columns(long n, int *restrict a, int *restrict y) {
  FOR(j, 0, n) {
    int sum = 0;
    FOR(i, 0, n) sum += a[i * n + j];
    y[j] = sum;
  }
}

#ifdef MAIN
#define N 300
static u8 a8[N * N], x8[N], y8[N];
static int a[N * N], x[N], y[N];
static void show(const char *name, long n) {
  unsigned h = 0;
  FOR(i, 0, n) h = h * 31 + x8[i] + 3 * y8[i] + 5 * x[i] + 7 * y[i];
  printf("%s %ld %u\n", name, n, h);
}
int main(void) {
  FOR(i, 0, N * N) a8[i] = i * 7 % 253, a[i] = i * 5 % 31 - 15;
  FOR(i, 0, N) x8[i] = i % 251, x[i] = i % 17 - 8;
  static const long sizes[] = {0, 1, 2, 17, 64, 65, 300};
  FOR(s, 0, 7) {
    long n = sizes[s];
    rows(n, a8, x8, y8), show("rows", n);
    if (n) maxima(n, a, y), show("maxima", n);
    in_place(n, a, x), show("in_place", n);
    substitution(n, a, x), show("substitution", n);
    columns(n, a, y), show("columns", n);
  }
}
#endif
