// The original version's loops start at boundaries of the blocks that cores fetch, as the check in front of it moves them; a
// place that the program asks for is kept. Functions without a new version are left as they are.
// RUN: %clang -O3 -march=x86-64-v3 -fno-unroll-loops -S -o - %s | FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 -DASKED -S -emit-llvm -o - %s | FileCheck %s --check-prefix=ASKED
#ifdef ASKED
#define PLACED __attribute__((code_align(64)))
#else
#define PLACED
#endif

// CHECK-LABEL: sums:
// CHECK: .p2align 5
// CHECK-LABEL: last:
// CHECK-NOT: .p2align 5
// CHECK: .Lfunc_end
// ASKED-NOT: !"llvm.loop.align", i32 32
// ASKED: !"llvm.loop.align", i32 64
// ASKED-NOT: !"llvm.loop.align", i32 32
void sums(int n, double a[restrict n][n], double b[restrict n][n], double s[restrict n]) {
  PLACED for (int i = 0; i < n; i++)
    PLACED for (int j = 0; j < n; j++)
      s[i] += a[j][i] * b[i][j];
}

double last(int n, double *a) {
  double found = 0;
  for (int i = 0; i < n; i++)
    found = found * a[i] + 1;
  return found;
}
