// What is in front of an endless loop is the program, and no way to a trap.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %clang -O3 -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: scop "run
// CHECK: write { S{{[0-9]}}[i0, i1, i2] -> {{.*}} }
double A[300][300], B[300][300], C[300][300];
void run(int n) {
  if (n > 300)
    return;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][k] * B[k][j];
  for (;;)
    ;
}
