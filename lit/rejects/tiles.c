// Register tiles and packed operands that a schedule asks for and that the statement does not have the form of. Each with
// the least change, of the schedule or of the statement, to a product that has it.
// RUN: sed -n 's|^// S: ||p' %s > %t.yaml
// DEFINE: %{stmt} = -DSTMT='c[i][j] += a[i][k] * b[k][j]'
// DEFINE: %{opts} = -O2 -g1 -march=haswell -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null
// DEFINE: %{given} = env POLYTILE=schedule=%t.yaml %clang %{opts} %{stmt} %s
// DEFINE: %{changed} = sed -f %t.sed %t.yaml > %t.changed.yaml && env POLYTILE=schedule=%t.changed.yaml %clang %{opts} %{stmt} %s
// RUN: %{given} 2>&1 | FileCheck --check-prefix=LEGAL %s
// LEGAL: transformed: {{.*}} 1 register tile, 1 packed operand
//
// S: domain: "[pt0_0] -> { S0[i0, i1, i2] : 0 <= i0 < pt0_0 and 0 <= i1 < pt0_0 and 0 <= i2 < pt0_0 }"
// S: child:
// S:   schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i2)] }, { S0[i0, i1, i2] -> [(i0)] }]"
// S:   permutable: 1
// S:   coincident: [ 1, 0, 1 ]
// S:   loops: [ sequential, sequential, parallel-dynamic-1 ]
// S:   tile: [ whole, 384, 20 ]
// S:   child:
// S:     pack: { stmt: S0, side: row, operands: [ 0 ], member: 2, width: 4, reduction: 1 }
// S:     child:
// S:       schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i2)] }, { S0[i0, i1, i2] -> [(i0)] }]"
// S:       permutable: 1
// S:       coincident: [ 1, 0, 1 ]
// S:       tile: [ 12, whole, 4 ]
// S:       child:
// S:         register_tile: { stmt: S0, row: 2, rows: 4, lane: 0, vectors: 3, lanes: 4, reduction: 1 }
// S:         child:
// S:           schedule: "[pt0_0] -> [{ S0[i0, i1, i2] -> [(i0)] }, { S0[i0, i1, i2] -> [(i2)] }, { S0[i0, i1, i2] -> [(i1)] }]"
// S:           permutable: 1
// S:           coincident: [ 1, 0, 1 ]
// S:           loops: [ sequential, sequential, vector ]
//
// The tile band above has the sizes of the tile: rows, then vectors of lanes, and the reduction whole.
// RUN: echo 's/rows: 4/rows: 8/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=SHAPE %s
// RUN: echo 's/vectors: 3/vectors: 2/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=SHAPE %s
// SHAPE: not transformed: register tile: the tile band above has another shape
// RUN: echo '/tile: .* 12, whole, 4/d' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: not transformed: register tile: no tile band right above the mark
// RUN: echo 's/vectors: 3, lanes: 4/vectors: 1, lanes: 12/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=LANES %s
// LANES: not transformed: register tile: the number of lanes is no power of two
//
// Sums are taken in their order, in the direction that is called the reduction.
// RUN: echo 's/12, whole, 4/whole, 12, 4/; s/lane: 0/lane: 1/; s/lanes: 4, reduction: 1/lanes: 4, reduction: 0/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=ORDER %s
// ORDER: not transformed: register tile: an accumulator is updated out of order: {{.*}} dependence S0 -> S0
// RUN: echo 's/12, whole, 4/12, 1, whole/; s/row: 2, rows: 4, //; s/lanes: 4, reduction: 1/lanes: 4, reduction: 2/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=MOVES %s
// MOVES: not transformed: statement S0 cannot run as a register tile: the cell that it writes does not move with row and lane alone
//
// A statement that is no sum.
// REDEFINE: %{stmt} = -DSTMT='((double (*)[1000][1000])c)[k][i][j] = a[i][k] * b[k][j]'
// RUN: %{given} 2>&1 | FileCheck --check-prefix=SUM %s
// SUM: not transformed: register tile: not one read of the accumulator
//
// Vectors need vector operations, and neighbours in memory: along the lanes, or along the reduction to be transposed.
// REDEFINE: %{stmt} = -DSTMT='c[i][j] += a[i][k] * b[k][j] * j'
// RUN: %{given} 2>&1 | FileCheck --check-prefix=INDEX %s
// INDEX: not transformed: statement S0 cannot run as a register tile: an index changes with the lane
// REDEFINE: %{stmt} = -DSTMT='c[i][j] += a[i][k] * exp(b[k][j])'
// RUN: %{given} 2>&1 | FileCheck --check-prefix=CALL %s
// CALL: not transformed: statement S0 cannot run as a register tile: an operation has no vector form
// REDEFINE: %{stmt} = -DSTMT='c[i][j] += a[i][k] * b[j][2*k]'
// RUN: echo 's/12, whole, 4/12, whole, 1/; s/row: 2, rows: 4, /rows: 1, /' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=APART %s
// APART: not transformed: statement S0 cannot run as a register tile: an access is contiguous neither in the lanes nor in the reduction
//
// Its instances are a box, cut by planes: the reduction ends where they say.
// REDEFINE: %{stmt} = -DHALF -DSTMT='c[i][j] += a[i][k] * b[k][j]'
// RUN: echo 's/0 <= i2 < pt0_0 }"/i2 >= 0 and 2i2 <= i1 }"/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=PLANE %s
// PLANE: not transformed: statement S0 cannot run as a register tile: a constraint scales the reduction
//
// A buffer holds elements of the sum's type, and what is copied does not change meanwhile.
// REDEFINE: %{stmt} = -DSTMT='c[i][j] += ((float (*)[1000])a)[i][k] * b[k][j]'
// RUN: %{given} 2>&1 | FileCheck --check-prefix=TYPE %s
// TYPE: not transformed: buffer 0 cannot be used: an operand is not of its type
// REDEFINE: %{stmt} = -DELEMENT=__float128 -DSTMT='c[i][j] += a[i][k] * b[k][j]'
// RUN: %{given} 2>&1 | FileCheck --check-prefix=WIDE %s
// WIDE: not transformed: buffer 0 cannot be used: its elements are not numbers of up to 64 bits
// REDEFINE: %{stmt} = -DSTMT='c[i][j] += a[i][k] * b[k][j]'
// RUN: echo 's/operands: \[ 0 \]/operands: [ 2 ]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=WRITTEN %s
// WRITTEN: not transformed: register tile: a packed operand is written below the copy
// RUN: echo 's/operands: \[ 0 \]/operands: [ 9 ]/' > %t.sed
// RUN: %{changed} 2>&1 | FileCheck --check-prefix=OPERAND %s
// OPERAND: not transformed: malformed schedule: no such operand
double exp(double);
#ifndef ELEMENT
#define ELEMENT double
#endif
#ifdef HALF
#define MORE (2 * k <= j)
#else
#define MORE (k < n)
#endif
void product(int n, ELEMENT (*restrict a)[1000], ELEMENT (*restrict b)[1000], ELEMENT (*restrict c)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; MORE; k++)
        STMT;
}
