// The space of legal schedules and the interleavings of loops (Pouchet et al. 2011): 75 orders of four statements, 8 of them legal.

// RUN: env "POLYTILE=dump=space;stop-after=space;only=gemver" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=GEMVER %s
void gemver(int n, double A[restrict n][n], double *restrict u1, double *restrict v1, double *restrict u2, double *restrict v2, double *restrict x,
            double *restrict y, double *restrict z, double *restrict w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + 1.5 * A[j][i] * y[j];
    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i] = w[i] + 2.5 * A[i][j] * x[j];
}
// GEMVER: space "gemver.b{{[0-9]+}}" function "gemver": 4 statements, 7 dependences by level
// GEMVER-NEXT: L: schedules of 2 rows (Lemma 3): 30 coefficients and 14 choices;
// GEMVER-NEXT: S0 -> S1 flow:
// GEMVER: S1 -> S1 flow anti output:
// GEMVER-NEXT: S1.i1 >= -K d[<p]
// GEMVER-NEXT: S1.i1 >= d[p] - 3 K d[<p]
// GEMVER: I: 2 levels of 4 statements: 24 dimensions, 128 constraints, 365 points; O, each level: 12, 58, 75
// GEMVER-NEXT: F, level 1: 6 dimensions, 28 constraints, 8 points
// GEMVER-NEXT: groups {S0} {S1} {S2} {S3}
// GEMVER-NEXT: in order {S0} <= {S1}, {S0} <= {S2}, {S1} <= {S2}, {S0} <= {S3}, {S1} <= {S3}, {S2} <= {S3}
// GEMVER-NEXT: S0 S1 by (i0, i1) (i1, i0)
// GEMVER: point [{S0}] [{S1}] [{S2} {S3}]
// GEMVER: partitions 8, connected 8;
// GEMVER-NEXT: {S0 S1 S2 S3}: S0 -> i1, S1 -> i0, S2 -> i0, S3 -> i1; distances u = 1, w = 0
// GEMVER-NEXT: F, level 2: 1 dimension, 2 constraints, 2 points

// As a pass of opt, like the other stages. Two points are in one class of a reduction: k goes forwards.
// RUN: %plainclang -O1 -fno-vectorize -fno-unroll-loops -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='print<polytile-space;only=product>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=PRODUCT %s
void product(long n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
// PRODUCT: space "product.{{.*}}" function "product": 1 statement, 1 dependence by level
// PRODUCT: of these coefficients and constants 0 .. 1: {{[0-9]+}} schedules, {{[0-9]+}} points
// PRODUCT-NEXT: I: 3 levels of 1 statement: 0 dimensions, 0 constraints, 1 points; O, each level: 0, 0, 1

// The policy makes the interleavings, ranks them by the model of time, and tells what it did.
// RUN: env "POLYTILE=fusion=space;dump=model;only=three;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -Rpass=polytile -c -o /dev/null %s 2> %t.txt
// RUN: FileCheck --check-prefix=THREE %s < %t.txt
// RUN: FileCheck --check-prefix=REMARK %s < %t.txt
void three(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n], double F[restrict n][n], double D[restrict n][n], double E[restrict n][n],
           double G[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                F[i][j] += D[i][k] * E[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                G[i][j] += C[i][k] * F[k][j];
}
// THREE: model three {{[0-9]+}} candidate original
// THREE: model three {{[0-9]+}} candidate plan
// THREE: chosen
// REMARK: remark: loop nest transformed: {{.*}}; interleavings: 5, {{[0-9]+}} compared{{.*}}, 1 with loops that share no array{{.*}} taken

// One level further: loops inside of the outermost ones, of which most are those of the search.
// RUN: env "POLYTILE=fusion=levels;only=three;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=LEVELS %s
// LEVELS: remark: loop nest transformed: {{.*}}; interleavings: 5, 4 compared, 6 more inside of loops, 6 with a plan that was known, 1 with loops that share no array, {{.*}} taken

// A row that satisfies all dependences leaves a parallel loop, where the shortest one leaves a chain.
// RUN: env "POLYTILE=fusion=levels;only=relax;verify=on" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=FIRST %s
// FIRST: remark: loop nest transformed: {{.*}}; interleavings: 1, 1 compared, 1 more inside of loops, {{.*}}{S0 first} is taken
void relax(long t, long n, double *a) {
    for (long s = 0; s < t; s++)
        for (long i = 1; i < n - 1; i++)
            a[i] = 0.33 * (a[i - 1] + a[i] + a[i + 1]);
}

// By default nothing of the kind is done.
// RUN: env "POLYTILE=only=three" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=DEFAULT %s
// DEFAULT-NOT: interleavings
