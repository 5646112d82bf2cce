// What is counted of a module: static control parts, statements and references in and outside of them, nests that were transformed, and
// those that were not by the kind of reason. A table on the error stream, or a line of JSON for each module; the code is the same.
// RUN: env POLYTILE=stats=- %clang -O2 -march=znver4 -S -o %t.s %s 2>&1 | FileCheck %s
// RUN: rm -f %t.json && env POLYTILE=stats=%t.json %clang -O2 -march=znver4 -S -o %t.2.s %s 2>&1 | count 0
// RUN: %clang -O2 -march=znver4 -S -o %t.3.s %s && cmp %t.s %t.2.s && cmp %t.s %t.3.s
// RUN: %clang -O2 -march=znver4 -mllvm -polytile-stats=%t.json -DNOTHING -S -o %t.s %s
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: %python -c "import json, sys; print(sum(json.loads(line)['loops'] for line in open(sys.argv[1])))" %t.json | FileCheck --check-prefix=SUM %s
// RUN: not env POLYTILE=stats=%t.none/file %clang -O2 -S -o %t.s %s 2>&1 | FileCheck --check-prefix=FILE %s
// RUN: %plainclang -O2 -emit-llvm -fno-unroll-loops -fno-vectorize -Xclang -disable-llvm-passes -S -o - %s | opt-22 -passes=sroa,loop-simplify,loop-rotate,instcombine,simplifycfg,indvars -S -o %t.ll
// RUN: %opt -passes='print<polytile-stats>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=OPT %s
//
// CHECK: polytile: {{.*}}stats.c
// CHECK-NEXT: functions with loops                   5
// CHECK-NEXT: loops                                 10
// CHECK-NEXT: static control parts                   2
// CHECK-NEXT:   with parameters                      1
// CHECK-NEXT: statements in loops                    5
// CHECK-NEXT:   in static control parts              2
// CHECK-NEXT: array references in loops             11
// CHECK-NEXT:   affine                               9
// CHECK-NEXT: loop nests transformed                 2
// CHECK-NEXT: loop nests declined                    3
// CHECK-NEXT:   exits                                1
// CHECK-NEXT:   subscript-on-data                    1
// CHECK-NEXT:   call                                 1
// CHECK-NEXT: other loops outside of parts
// JSON: {"module":"{{.*}}stats.c","functions":5,"loops":10,"parts":2,"parametric_parts":1,"statements":5,"statements_in_parts":2,"references":11,"affine_references":9,"transformed":2,"declined":{"exits":1,"subscript-on-data":1,"call":1},"loops_outside":{
// JSON-NEXT: {"module":"{{.*}}stats.c","functions":0,"loops":0,"parts":0,
// SUM: 10
// FILE: error: polytile: stats file '{{.*}}none/file' cannot be written: No such file
// OPT: functions with loops                   5
#ifndef NOTHING
void parametric(int n, double (*restrict c)[500], double (*restrict a)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = a[j][i];
}
double a[900][900], b[900][900];
void constant(void) {
  for (int i = 0; i < 900; i++)
    for (int j = 0; j < 900; j++)
      a[i][j] = b[j][i] + 1;
}
double effect(double);
void calls(int n, double (*restrict c)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = effect(c[i][j]);
}
void histogram(int n, int *restrict h, const unsigned char (*restrict image)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      h[image[i][j]]++;
}
int leaves(int n, int (*restrict c)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (c[i][j] == 7)
        return i;
      c[i][j] = 1;
    }
  return -1;
}
#endif
