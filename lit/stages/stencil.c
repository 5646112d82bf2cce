// Every stage of a stencil, one at a time; each is the last one, and the code is that of a build without the plugin.
// RUN: env "POLYTILE=stop-after=region;dump=region" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=REGION %s
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCOP %s
// RUN: env "POLYTILE=stop-after=deps;dump=deps" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=DEPS %s
// RUN: env "POLYTILE=stop-after=schedule;dump=schedule" %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=SCHEDULE %s
// RUN: env "POLYTILE=stop-after=ast;dump=ast" %clang -O2 -S -o %t.s %s 2>&1 | FileCheck --check-prefix=AST %s
// RUN: %plainclang -O2 -S -o %t.plain.s %s && cmp %t.s %t.plain.s

// What the front door saw: values, loops, blocks. The second inner loop has become a memcpy.
// REGION: region "jacobi.{{.*}}" function "jacobi"
// REGION: no-alias m0 m1
// REGION: loop L1 {{.*}} in L0
// REGION: = load f64 m0 (rec L1
// REGION: = memcpy m0

// Domains, accesses and bodies. The copy is a statement over its elements.
// SCOP: array [[A:M0_[a-z0-9_]+]] f64 memory
// SCOP: array [[B:M1_[a-z0-9_]+]] f64 memory
// SCOP: domain { S0[i0, i1] : 0 <= i0 < [[T:p[a-z0-9_]+]] and 0 <= i1 <= -3 + [[N:p[a-z0-9_]+]] }
// SCOP: write { S0[i0, i1] -> [[B]][1 + i1] }
// SCOP: read { S0[i0, i1] -> [[A]][1 + i1] }
// SCOP: read { S0[i0, i1] -> [[A]][i1] }
// SCOP: read { S0[i0, i1] -> [[A]][2 + i1] }
// SCOP: write { S1[i0, i1] -> [[A]][1 + i1] }
// SCOP: read { S1[i0, i1] -> [[B]][1 + i1] }

// Dependences: with the kinds, the arrays and the instances.
// DEPS: S0 -> S1 flow anti {{.*}} i1' = i1 and
// DEPS: S0 -> S1 anti {{.*}} i1' = -1 + i1
// DEPS: S1 -> S0 flow {{.*}} i1' = 1 + i1

// The time loop is sequential; each of the others is parallel.
// SCHEDULE: coincident: [ 0 ]
// SCHEDULE: sequence:
// SCHEDULE: filter: "{{.*}} S0[i0, i1] }"
// SCHEDULE: loops: [ parallel-static ]
// SCHEDULE: filter: "{{.*}} S1[i0, i1] }"

// AST: for (c0 = 0; c0 <= (p0 - 1); c0 += 1)
// AST: // parallel
// AST: S0(c0, c1);
// AST: S1(c0,
void jacobi(int steps, int n, double *restrict a, double *restrict b) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}
