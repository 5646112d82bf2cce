// Panels of lanes inside of other loops: their rows count from what the loops around say, and register tiles of other statements stand beside
// them.
// RUN: env POLYTILE="min-work=0;verify=on;dump=ast" %clang -O3 -march=x86-64-v3 -fopenmp -gline-tables-only %s -c -o %t.o -fpass-plugin=%polytile -Rpass=polytile \
// RUN:   > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// CHECK: tile {{.*}} S0(
// CHECK: lanes, A{{[0-9]+}} contracted
// CHECK: remark: loop nest transformed: {{.*}}register tile
void step(long steps, long o, long u, double r[restrict o][o][u][u], double t[restrict o][o][u][u], double v[restrict u][u][o][o],
          double f[restrict o][o]) {
  for (long s = 0; s < steps; s++) {
    for (long i = 0; i < o; i++)
      for (long j = 0; j < o; j++)
        for (long a = 0; a < u; a++)
          for (long b = 0; b < u; b++)
            for (long k = 0; k < o; k++)
              for (long c = 0; c < u; c++)
                r[i][j][a][b] += t[i][k][a][c] * v[b][c][j][k];
    for (long i = 0; i < o; i++)
      for (long j = 0; j < o; j++) {
        double sum = 0;
        for (long k = 0; k < o; k++)
          for (long a = 0; a < u; a++)
            for (long c = 0; c < u; c++)
              sum += t[i][k][a][c] * v[a][c][k][j];
        f[i][j] = 2 * sum;
      }
    for (long i = 0; i < o; i++)
      for (long j = 0; j < o; j++)
        for (long a = 0; a < u; a++)
          for (long b = 0; b < u; b++)
            t[i][j][a][b] = r[j][i][b][a] / (1.0 + a) + f[i][j];
  }
}
