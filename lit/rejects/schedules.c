// A schedule that the user gives is checked before code is made of it. Each rule that it may break, with the least change that
// breaks it: the schedule below is legal.
// RUN: sed -n 's|^// S: ||p' %s > %t.yaml
// DEFINE: %{given} = env POLYTILE=schedule=%t.yaml %clang -O2 -g1 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s
// DEFINE: %{changed} = sed -f %t.sed %t.yaml > %t.changed.yaml && env POLYTILE=schedule=%t.changed.yaml %clang -O2 -g1 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s
// RUN: %{given} 2>&1 | FileCheck --check-prefix=LEGAL %s
// LEGAL-NOT: {{malformed|dependence|scheduled|error:}}
// LEGAL: no gain expected: nothing runs in parallel or in tiles
//
// S: domain: "[pt0_0] -> { S0[i0, i1] : 0 <= i0 < pt0_0 and 0 <= i1 < pt0_0; S1[i0, i1] : 0 <= i0 < pt0_0 and 0 <= i1 < pt0_0 }"
// S: child:
// S:   schedule: "[pt0_0] -> [{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)]; S1[i0, i1] -> [(i1)] }]"
// S:   permutable: 0
// S:   coincident: [ 0, 0 ]
// S:   loops: [ sequential, sequential ]
// S:   child:
// S:     sequence:
// S:     - filter: "[pt0_0] -> { S0[i0, i1] }"
// S:     - filter: "[pt0_0] -> { S1[i0, i1] }"
//
// The instances are not the program's.
// RUN: echo 's/i1 < pt0_0; S1/i1 <= pt0_0; S1/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=DOMAIN %s
// DOMAIN: not transformed: the domain of the schedule is not that of the region
//
// A part of them has no place in the sequence, or two, or one for many.
// RUN: echo 's/filter:\(.*\) S1\[i0, i1\]/filter:\1 S1[i0, i1] : i0 > 0/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: not transformed: instances of S1 are not scheduled; at band
// RUN: echo 's/filter:\(.*\) S1\[i0, i1\]/filter:\1 S1[i0, i1]; S0[i0, i1]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=TWICE %s
// TWICE: not transformed: instances of S0 are scheduled twice; at band
// RUN: echo 's/-> \[(i1)\]/-> [(0)]/g' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=SHARED %s
// SHARED: not transformed: instances of S0 share one place; at band > sequence child 0
//
// Dependences: S1 needs what S0 wrote in the same iteration, and what it wrote itself one row up, one column to the right.
// RUN: echo 's/S0\[i0, i1\] }"/X }"/; s/S1\[i0, i1\] }"/S0[i0, i1] }"/; s/X }"/S1[i0, i1] }"/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=BACK %s
// BACK: not transformed: a dependence runs backwards: flow dependence S0 -> S1
// RUN: echo 's/sequence/set/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=SET %s
// SET: not transformed: children of a set depend on each other: flow dependence S0 -> S1
// RUN: echo '7,$d' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=LEAF %s
// LEAF: not transformed: dependent instances are not ordered: flow dependence S0 -> S1
// RUN: echo 's/permutable: 0/permutable: 1/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=PERMUTABLE %s
// PERMUTABLE: not transformed: the band is not permutable: member 1 runs a dependence backwards: flow dependence S1 -> S1, for example S1[0, 1] -> S1[1, 0] with pt0_0 = 2
// RUN: echo 's/coincident: \[ 0/coincident: [ 1/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=COINCIDENT %s
// COINCIDENT: not transformed: member 0 is not coincident: flow dependence S1 -> S1
// RUN: echo 's/loops: \[ sequential/loops: [ parallel-static/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=PARALLEL %s
// PARALLEL: not transformed: the parallel loop of member 0 carries a dependence: flow dependence S1 -> S1
// RUN: echo 's/loops: \[ sequential/loops: [ vector/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=VECTOR %s
// VECTOR: not transformed: the vector loop of member 0 carries a dependence: flow dependence S1 -> S1
// RUN: echo 's/^\( *\)loops:.*/&\n\1tile: [ 8, 8 ]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=TILES %s
// TILES: not transformed: a dependence runs backwards between tiles: flow dependence S1 -> S1
//
// Shapes: sizes of tiles, members of waves, names in marks.
// RUN: echo 's/^\( *\)loops:.*/&\n\1tile: [ 8, 0 ]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=SIZE %s
// SIZE: not transformed: malformed schedule: tile sizes of at least 1; at tile band
// RUN: echo 's/^\( *\)loops:.*/&\n\1tile: [ 8, 8 ]\n\1wavefront: [ 0, 7 ]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=MEMBER %s
// MEMBER: not transformed: malformed schedule: a tile size per member; at tile band
// RUN: echo 's/^\( *\)loops:.*/&\n\1tile: [ 8, 16 ]\n\1wavefront: [ 0, 1 ]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=WAVE %s
// WAVE: not transformed: malformed schedule: equal sizes of the members of a wavefront; at tile band
// RUN: echo '8i\    register_tile: { stmt: S7, lane: 1, vectors: 1, lanes: 4, reduction: 0 }\n    child:' > %t.sed && echo '8,$s/^/  /' >> %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: not transformed: malformed schedule: no such statement; at band > mark
// RUN: echo '3s/\[pt0_0\] ->/[pt0_0, late] ->/; 3s/(i0)/(i0 + late)/g' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=FOREIGN %s
// FOREIGN: not transformed: malformed schedule: a parameter that the region does not have; at band
//
// Copies for threads: only of temporary arrays, and only for a parallel loop right below that is in no other.
// RUN: echo '3i\  private: [ 0 ]\n  child:' > %t.sed && echo '3,$s/^/  /' >> %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=PRIVATE %s
// PRIVATE: not transformed: private arrays: no parallel loop below; at mark
// RUN: echo 's/loops: \[ sequential/loops: [ parallel-static/' >> %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=TEMPORARY %s
// TEMPORARY: not transformed: private arrays: not a temporary array; at mark
// RUN: echo '2a\  private: [ 0 ]' > %t.sed && echo '3,$d' >> %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=BAND %s
// BAND: not transformed: private arrays: no band below; at mark
//
// No file.
// RUN: not env POLYTILE=schedule=%t.none.yaml %clang -O2 -g1 -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: polytile: schedule file '{{.*}}.none.yaml' cannot be read:
void rows(int n, double (*restrict a)[1001], double (*restrict b)[1001]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      b[i][j] *= 1.5;
      a[i + 1][j] = a[i][j + 1] + b[i][j];
    }
}
