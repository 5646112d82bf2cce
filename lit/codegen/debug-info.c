// Debuggers and profilers find the source: functions that are made have a subprogram of their own, named after the function of the source, and
// positions in it, on one thread and on several, with full debug information and with lines only. Of what was inlined from another file they have
// the line of the call. The code is the same as without.
// RUN: split-file %s %t
// RUN: cd %t && %clang -O3 -march=znver4 -g -S -emit-llvm a.c -o a.ll 2>&1 | count 0
// RUN: cd %t && opt-22 -passes=verify -disable-output a.ll && FileCheck a.c --input-file=a.ll
// RUN: cd %t && env POLYTILE=parallel=off %clang -O3 -march=znver4 -gline-tables-only -S -emit-llvm a.c -o b.ll 2>&1 | count 0
// RUN: cd %t && opt-22 -passes=verify -disable-output b.ll && FileCheck a.c --input-file=b.ll --check-prefix=ONE
// RUN: cd %t && %clang -O3 -march=znver4 -g -c a.c -o a.o && llvm-dwarfdump-22 --verify a.o | FileCheck a.c --check-prefix=VERIFIED
// RUN: cd %t && llvm-dwarfdump-22 --debug-info a.o | FileCheck a.c --check-prefix=DWARF
// RUN: cd %t && %clang -O3 -march=znver4 -c a.c -o plain.o && llvm-objcopy-22 --strip-debug a.o stripped.o
// RUN: cd %t && llvm-objdump-22 -d --no-show-raw-insn --section=.text stripped.o | grep -v -e format -e polytile > with
// RUN: cd %t && llvm-objdump-22 -d --no-show-raw-insn --section=.text plain.o | grep -v -e format -e polytile > without && cmp with without
// PHIs in front of and behind both versions come in front of what debug information says of values there.
// RUN: env "POLYTILE=select=measure;min-work=1" %clang -O3 -march=znver4 -g -Rpass=polytile -S -o /dev/null %S/private-team.c 2>&1 | FileCheck %s --check-prefix=MEASURED
// MEASURED-NOT: internal error
// MEASURED: private-team.c:36:5: remark: loop nest transformed
// MEASURED-NOT: internal error

//--- a.c
#include "inlined.h"
// CHECK: define internal {{.*}}@solve.polytile.{{[0-9]+}}({{.*}} !dbg [[SOLVE:![0-9]+]] {
// CHECK: define internal {{.*}}@solve.polytile.team({{.*}} !dbg [[TEAM:![0-9]+]] {
// CHECK: fdiv {{.*}} !dbg [[DIVISION:![0-9]+]]
// ONE: define internal {{.*}}@solve.polytile.{{[0-9]+}}({{.*}} !dbg [[SOLVE:![0-9]+]] {
// ONE: fdiv {{.*}} !dbg [[DIVISION:![0-9]+]]
// CHECK: [[SOLVE]] = distinct !DISubprogram(name: "solve.polytile.51", {{.*}}line: 51,
// CHECK: [[TEAM]] = distinct !DISubprogram(name: "solve.polytile.team"
// CHECK: [[DIVISION]] = !DILocation(line: 55, {{.*}}scope: [[TEAM]])
// ONE: [[SOLVE]] = distinct !DISubprogram(name: "solve.polytile.51", {{.*}}line: 51,
// ONE: [[DIVISION]] = !DILocation(line: 55, {{.*}}scope: [[SOLVE]])
#line 50
void solve(int n, double *restrict x, double (*restrict l)[400], double *restrict b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= l[i][j] * x[j];
    x[i] = x[i] / l[i][i];
  }
}
// No line of the header, which has many, is taken for one of this file.
// CHECK-NOT: !DILocation(line: {{10[0-9]}},{{.*}}scope: {{![0-9]+}})
// ONE-NOT: !DILocation(line: {{10[0-9]}},{{.*}}scope: {{![0-9]+}})
void product(int n, double (*restrict c)[500], double (*restrict a)[500], double (*restrict b)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      add(n, &c[i][j], a[i], &b[0][j]);
}
// VERIFIED: No errors.
// DWARF-DAG: DW_AT_name ("product.polytile.{{[0-9]+}}")
// DWARF-DAG: DW_AT_name ("product.polytile.team")
// DWARF-DAG: DW_AT_name ("solve.polytile.team")

//--- inlined.h
#line 100
static inline void add(int n, double *restrict c, const double *restrict a, const double (*restrict b)) {
  for (int k = 0; k < n; k++)
    *c += a[k] * b[k * 500];
}
