// Loops that run at most once are no loops, and those that run a few times are neither unrolled nor vectorized: a tile has no more
// rows than a thread takes at a time, and a register tile has four.
// RUN: %plainclang -O1 -march=x86-64-v3 -fno-math-errno -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='polytile<min-work=0;parallel-min-us=0;only=both>' -S %t.ll -o - | FileCheck %s --check-prefix=ONCE
// RUN: %opt -passes='polytile<min-work=0;parallel-min-us=0;only=factors>' -S %t.ll -o - | FileCheck %s --check-prefix=FEW
//
// ONCE-COUNT-5: {{^}}polytile.loop{{[0-9]*}}:
// ONCE-NOT: {{^}}polytile.loop{{[0-9]*}}:
void both(int n, double (*restrict a)[400], double *restrict s, double *restrict q, double *restrict r, double *restrict p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s[j] += r[i] * a[i][j];
      q[i] += a[i][j] * p[j];
    }
}

// FEW-DAG: ![[SCALARS:[0-9]+]] = !{!"llvm.loop.vectorize.enable", i1 false}
// FEW-DAG: ![[ROLLED:[0-9]+]] = !{!"llvm.loop.unroll.disable"}
// FEW-DAG: = distinct !{{{.*}}, ![[SCALARS]], ![[ROLLED]]}
void factors(int n, double (*restrict a)[400]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = __builtin_sqrt(a[i][i]);
  }
}
