// The tuner's database says what was measured of a nest. Its script passes the proof again; what is of no use is a remark, and the code is what it
// is without a database.
// RUN: rm -rf %t && mkdir %t && cp %s %t/product.c && cp %S/Inputs/record.py %t
// DEFINE: %{of} = %clang -O3 -march=x86-64-v3 -fopenmp -g1 -fno-caret-diagnostics -Rpass=polytile -Rpass-missed=polytile -c %t/product.c
// DEFINE: %{with} = env POLYTILE=db=%t/db %{of}
// RUN: env POLYTILE=candidates=%t/list %{of} -o %t/plain.o 2> %t/plain.txt
//
// RUN: %python %t/record.py %t/list 2 > %t/db && %{with} -o %t/stored.o 2>&1 | FileCheck --check-prefix=STORED %s
// RUN: env POLYTILE=choose=$(%python -c "import json; print(json.loads(open('%t/list').readline())['hash'])"):2 %{of} -o %t/chosen.o && cmp %t/stored.o %t/chosen.o && not cmp %t/stored.o %t/plain.o
// STORED: product.c:[[# LINE:]]:3: remark: loop nest transformed by database '{{.*}}db': candidate 2 'plan-sequential' ran 2.00 times as fast as the original, on 2 threads, size class 10 ms; its script passed the proof
// STORED: product.c:[[# LINE]]:3: remark: loop nest transformed: 1 statement
// STORED: product.c:{{[0-9]+}}:3: remark: loop nest transformed: 1 statement, {{.*}}2 vector loops
//
// Measured sizes take the place of the script's, also where sizes are read at run time.
// RUN: %python %t/record.py %t/list 1 "sizes=[17]" > %t/db && env "POLYTILE=tile-sizes=runtime;only=product;dump=script;db=%t/db" %{of} -o %t/x.o 2>&1 | FileCheck --check-prefix=SIZES %s
// SIZES: size s0 16 multiple 4
// RUN: llvm-nm-22 %t/x.o | FileCheck --check-prefix=TABLE %s
// TABLE-NOT: tile_sizes
//
// The last record counts; the original may have won.
// RUN: %python %t/record.py %t/list 0 >> %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=ORIGINAL %s
// ORIGINAL: remark: loop nest left as it is: database '{{.*}}db' says that the original was the fastest, on 2 threads, size class 10 ms
//
// The same nest in other surroundings.
// RUN: %python %t/record.py %t/list 2 > %t/db
// RUN: env POLYTILE=db=%t/db %clang -O3 -march=x86-64-v3 -fopenmp -DOTHER -Rpass=polytile -c %t/product.c -o %t/x.o 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: remark: loop nest transformed by database
//
// What is of no use.
// RUN: rm %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=ABSENT %s && cmp %t/x.o %t/plain.o
// ABSENT: remark: database '{{.*}}db' cannot be read: No such file
// RUN: echo '{"format":' > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=TORN %s && cmp %t/x.o %t/plain.o
// TORN: remark: database '{{.*}}db', line 1: EOF while parsing
// RUN: head -c 4096 %t/plain.o > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=BYTES %s && cmp %t/x.o %t/plain.o
// BYTES: remark: database '{{.*}}db', line 1:
// RUN: %python %t/record.py %t/list 1 format=7 > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=FORMAT %s && cmp %t/x.o %t/plain.o
// FORMAT: remark: database '{{.*}}db', line 1: it has format 7, and this version reads format 1; tune again, or take the line out
// RUN: %python %t/record.py %t/list 2 "script=[i0, i2, i1]->[i0, -i2, i1]" > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=ILLEGAL %s && cmp %t/x.o %t/plain.o
// ILLEGAL: product.c:{{[0-9]+}}:3: remark: database '{{.*}}db' is of no use here: its script is refused: a dependence runs backwards
// RUN: %python %t/record.py %t/list 2 "script=mapping->mopping" > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=WORDS %s && cmp %t/x.o %t/plain.o
// WORDS: its script is refused: {{.*}}mopping
// RUN: %python %t/record.py %t/list 1 "sizes=[32,32]" > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=COUNT %s && cmp %t/x.o %t/plain.o
// COUNT: its script is refused: it has 1 tile sizes, and 2 are stored; tune again
// RUN: %python %t/record.py %t/list 1 'target="znver5, 512 bits"' > %t/db && %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=TARGET %s && cmp %t/x.o %t/plain.o
// TARGET: its nest was measured for znver5, 512 bits, and this is compiled for {{.*}}, 256 bits; tune for this processor
// RUN: %python %t/record.py %t/list 1 > %t/db && %{with} -DCHANGED -o %t/x.o 2>&1 | FileCheck --check-prefix=STALE %s
// STALE: remark: loop nest transformed: 1 statement
// STALE: remark: database '{{.*}}db' is stale: no nest here is the one that was measured at {{.*}}product.c:{{[0-9]+}} (product); tune again
#ifndef OTHER
void product(int n, double (*restrict c)[500], double (*restrict a)[500], double (*restrict b)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
#ifdef CHANGED
        c[i][j] += a[i][k] * b[j][k];
#else
        c[i][j] += a[i][k] * b[k][j];
#endif
}
void turned(int n, double (*restrict c)[500], double (*restrict a)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] += a[j][i];
}
#else
void renamed(int m, double (*restrict x)[500], double (*restrict y)[500], double (*restrict z)[500]) {
  for (int p = 0; p < m; p++)
    for (int q = 0; q < m; q++)
      for (int r = 0; r < m; r++)
        x[p][q] += y[p][r] * z[r][q];
}
#endif
