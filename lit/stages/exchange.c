// Static control parts go to other polyhedral tools as files, and a schedule that comes back is proved before it is code.
// RUN: rm -rf %t && mkdir %t %t/out %t/changed && split-file %s %t
// DEFINE: %{flags} = -O2 -g1 -fopenmp
// DEFINE: %{in} = env "POLYTILE=import=%t/changed;min-work=0" %clang %{flags}
//
// What is exported changes no code. One file for each region and form, by source file, function and line.
// RUN: env "POLYTILE=export=openscop,jscop,isl;export-dir=%t/out" %clang %{flags} -S %t/two.c -o %t/exported.s
// RUN: %clang %{flags} -S %t/two.c -o %t/plain.s && cmp %t/exported.s %t/plain.s
// RUN: ls %t/out | FileCheck --check-prefix=FILES %s
// FILES: two.c.two.4.isl
// FILES-NEXT: two.c.two.4.jscop
// FILES-NEXT: two.c.two.4.scop
// FILES-NOT: two
// RUN: FileCheck --check-prefix=ISL %s < %t/out/two.c.two.4.isl
// ISL: # two, {{.*}}two.c:4
// ISL: domain: "[{{.*}}] -> { S0[i0, i1] : {{.*}}; S1[i0, i1] : {{.*}} }"
// ISL-NEXT: schedule: "[{{.*}}] -> { S0[i0, i1] -> [0, i0, i1]; S1[i0, i1] -> [1, i0, i1] }"
// ISL-NEXT: reads: {{.*}}S1[i0, i1] -> {{[a-zA-Z0-9_]+}}[i1, i0]
//
// Its own order comes back as the same code in all forms: that of a script without commands.
// RUN: cp %t/out/two.c.two.4.isl %t/changed && %{in} -S %t/two.c -o %t/isl.s && rm %t/changed/*
// RUN: cp %t/out/two.c.two.4.jscop %t/changed && %{in} -S %t/two.c -o %t/jscop.s && rm %t/changed/*
// RUN: cp %t/out/two.c.two.4.scop %t/changed && %{in} -S %t/two.c -o %t/scop.s
// RUN: env "POLYTILE=script=%t/nothing.pt;min-work=0" %clang %{flags} -S %t/two.c -o %t/script.s
// RUN: cmp %t/isl.s %t/script.s && cmp %t/jscop.s %t/script.s && cmp %t/scop.s %t/script.s && not cmp %t/script.s %t/plain.s
// RUN: env "POLYTILE=import=%t/out/two.c.two.4.isl;min-work=0" %clang %{flags} -S %t/two.c -o %t/file.s && cmp %t/file.s %t/script.s
//
// A name without the source file is that of a region in any file. Two files that share a function's name and line are kept apart.
// RUN: rm %t/changed/* && cp %t/out/two.c.two.4.isl %t/changed/two.4.isl && %{in} -S %t/two.c -o %t/any.s && cmp %t/any.s %t/script.s
// RUN: cp %t/two.c %t/other.c && env "POLYTILE=export=isl;export-dir=%t/out" %clang %{flags} -S %t/other.c -o %t/other.s
// RUN: FileCheck --check-prefix=ISL %s < %t/out/two.c.two.4.isl && ls %t/out/other.c.two.4.isl
//
// Another legal order: the second nest's loops exchanged, and both nests in one loop. A script goes on from there.
// RUN: rm %t/changed/* && sed 's/-> \[0, i0, i1\]/-> [i0, 0, i1]/; s/-> \[1, i0, i1\]/-> [i1, 1, i0]/' %t/out/two.c.two.4.jscop > %t/changed/two.c.two.4.jscop
// RUN: env "POLYTILE=import=%t/changed;min-work=0;dump=schedule" %clang %{flags} %t/two.c -o %t/fused 2>&1 | FileCheck --check-prefix=FUSED %s
// FUSED: schedule: "[{{.*}}] -> [{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i1)] }]"
// FUSED-NEXT: permutable: 1
// RUN: env "POLYTILE=import=%t/changed;script=%t/strip.pt;min-work=0;dump=schedule" %clang %{flags} %t/two.c -o %t/tiled 2>&1 | FileCheck --check-prefix=TILED %s
// TILED: tile: [ 8 ]
// RUN: %plainclang -O2 %t/two.c -o %t/plain && %t/plain > %t/plain.out
// RUN: %t/fused > %t/fused.out && cmp %t/fused.out %t/plain.out && %t/tiled > %t/tiled.out && cmp %t/tiled.out %t/plain.out
//
// A schedule tree as isl prints it; its claims about loops are not believed.
// RUN: rm %t/changed/* && grep '^domain' %t/out/two.c.two.4.isl > %t/changed/two.c.two.4.isl && cat %t/tree >> %t/changed/two.c.two.4.isl
// RUN: %{in} -S %t/two.c -o %t/tree.s && cmp %t/tree.s %t/script.s
//
// An illegal order is an error at its line.
// RUN: rm %t/changed/* && sed 's/-> \[0, i0, i1\]/-> [2, i0, i1]/' %t/out/two.c.two.4.jscop > %t/changed/two.c.two.4.jscop
// RUN: not %{in} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=ILLEGAL %s
// ILLEGAL: error: polytile: {{.*}}two.c.two.4.jscop:[[#]]: illegal: a dependence runs backwards: flow dependence through {{.*}} from S0 ({{.*}}two.c:{{[56]}}) to S1 ({{.*}}two.c:{{[89]}}); for example with
// ILLEGAL-SAME: must come first, but runs at time [1,0,0], and S1[0,0] at time [0,0,0]
//
// So is what is no such file, or about another program.
// RUN: rm %t/changed/* && sed 's/SCATTERING/SCATTER/' %t/out/two.c.two.4.scop > %t/changed/two.c.two.4.scop
// RUN: not %{in} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: error: polytile: {{.*}}two.c.two.4.scop:[[#]]: DOMAIN, SCATTERING, READ, WRITE or MAY_WRITE expected, not 'SCATTER'
// RUN: rm %t/changed/* && sed 's/0 <= i0/1 <= i0/' %t/out/two.c.two.4.isl > %t/changed/two.c.two.4.isl
// RUN: not %{in} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=DOMAIN %s
// DOMAIN: error: polytile: {{.*}}two.c.two.4.isl:3: instances of the region are missing:
// RUN: rm %t/changed/* && cp %t/out/two.c.two.4.isl %t/changed/two.c.two.40.isl && cp %t/out/two.c.two.4.isl %t/changed/two.c.three.4.isl
// RUN: not %{in} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=NAMES %s
// NAMES-DAG: error: polytile: {{.*}}two.c.two.40.isl:1: no static control part of this module has this name
// NAMES-DAG: warning: polytile: {{.*}}two.c.three.4.isl:1: its name is that of no function of this module
// RUN: rm %t/changed/* && cp %t/out/two.c.two.4.* %t/changed && not %{in} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: error: polytile: {{.*}}two.c.two.4.jscop:1: {{.*}}two.c.two.4.isl is about the same region; leave one of them out
// RUN: not env POLYTILE=import=%t/none %clang %{flags} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: polytile: import file or directory '{{.*}}none' cannot be read: No such file
// RUN: not env POLYTILE=import=%t/two.c %clang %{flags} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=ENDING %s
// ENDING: error: polytile: import file '{{.*}}two.c' has none of the endings that tell forms: .scop, .jscop, .isl
//
// Files are written where the user says, and nowhere else.
// RUN: not env POLYTILE=export=isl %clang %{flags} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=WHERE %s
// WHERE: error: polytile: option 'export' needs export-dir=DIRECTORY: where files are written to
// RUN: not env POLYTILE=export-dir=%t/out %clang %{flags} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=WHAT %s
// WHAT: error: polytile: option 'export-dir' needs export=openscop, jscop or isl: what is written there
// RUN: not env "POLYTILE=export=isl;export-dir=%t/none" %clang %{flags} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=NODIR %s
// NODIR: error: polytile: export directory '{{.*}}none' cannot be used: No such file or directory {{.*}}; name one that is there
// RUN: not env "POLYTILE=export=isl;export-dir=%t/two.c" %clang %{flags} -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=ISFILE %s
// ISFILE: error: polytile: export directory '{{.*}}two.c' cannot be used: it is a file; name one that is there
// RUN: not %clang %{flags} -mllvm -polytile-export=pluto -S %t/two.c -o %t/x.s 2>&1 | FileCheck --check-prefix=FORM %s
// FORM: error: polytile: option 'export' does not take the value 'pluto', but list of openscop|jscop|isl

//--- two.c
#include <stdio.h>
__attribute__((noinline)) void two(int m, int n, double *restrict a, double (*restrict b)[90], double *restrict c, double *restrict d,
                                   double (*restrict e)[90]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[i][j] * c[j];
  for (int k = 0; k < n; k++)
    for (int l = 0; l < m; l++)
      d[k] += e[l][k] * a[l];
}
static double a[37], b[37][90], c[90], d[90], e[37][90];
int main(void) {
  for (int x = 1; x < 9; x++)
    b[x][x] = e[x][3 * x] = e[x][x] = c[x] = x / 3.0;
  for (int m = 0; m <= 37; m += 37 - m > 3 ? 3 : 1)
    two(m, 90 - m, a, b, c, d, e);
  for (int i = 0; i < 37; i++)
    printf("%a\n", a[i]);
  for (int j = 0; j < 90; j++)
    printf("%a\n", d[j]);
}

//--- nothing.pt
region two:4 { }

//--- strip.pt
region two:4 { tile [0] 8 }

//--- tree
child:
  sequence:
  - filter: "{ S0[i, j] }"
    child:
      schedule: "[{ S0[i, j] -> [(i)] }]"
      permutable: 1
      coincident: [ 0 ]
      child:
        schedule: "[{ S0[i, j] -> [(j)] }]"
        coincident: [ 1 ]
  - filter: "{ S1[i, j] }"
    child:
      schedule: "[{ S1[i, j] -> [(i)] }]"
      child:
        schedule: "[{ S1[i, j] -> [(j)] }]"
