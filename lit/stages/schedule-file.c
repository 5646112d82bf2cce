// A printed schedule can be given back. An illegal one is refused, and the dependence that it breaks is named.
// RUN: env "POLYTILE=stop-after=schedule;dump=schedule" %clang -O2 -S -o /dev/null %s 2> %t.yaml
// RUN: FileCheck --check-prefix=PRINTED %s < %t.yaml
// RUN: env "POLYTILE=schedule=%t.yaml;dump=schedule" %clang -O2 -S -o %t.given.s %s 2> %t.again.yaml
// RUN: diff %t.yaml %t.again.yaml
// RUN: %clang -O2 -S -o %t.found.s %s
// RUN: cmp %t.found.s %t.given.s
// PRINTED: domain: "{{.*}}S0[i0, i1]
// PRINTED: coincident: [ 0 ]
// PRINTED: sequence:
//
// Time runs backwards:
// RUN: sed 's/-> \[(i0)\]/-> [(-i0)]/g' %t.yaml > %t.back.yaml
// RUN: env POLYTILE=schedule=%t.back.yaml %clang -O2 -g1 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=BACK %s
// BACK-NOT: loop nest transformed
// BACK: :[[@LINE+13]]:3: {{.*}} runs a dependence backwards: output dependence S0 -> S0, for example S0[0, 0] -> S0[1, 0]
//
// The time loop as a parallel loop:
// RUN: sed 's/coincident: \[ 0 \]/coincident: [ 1 ]/' %t.yaml > %t.parallel.yaml
// RUN: env POLYTILE=schedule=%t.parallel.yaml %clang -O2 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=PARALLEL %s
// PARALLEL: not transformed: member 0 is not coincident: output dependence S0 -> S0
//
// No schedule at all:
// RUN: echo nonsense > %t.bad.yaml
// RUN: not env POLYTILE=schedule=%t.bad.yaml %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: error: polytile: schedule file '{{.*}}.bad.yaml': 1:1: 'key: value' expected
//
void jacobi(int steps, int n, double *restrict a, double *restrict b) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}
