// Nests that treat the first four quantities, and one for all others: there are often no others, and that keeps none of the rest from running.
// RUN: env "POLYTILE=dump=scop" %clang -O3 -march=x86-64-v3 -c -o %t.o %s 2>&1 | FileCheck %s
// CHECK: assume non-empty {  : p{{.*}} > 0 and p{{.*}} > 0 }
// CHECK: 0 <= i1 <= -5 + p
void fluxes(int n, int slices, int quantities, double q[quantities][slices][n], double f[quantities][slices][n]) {
  for (int s = 0; s < slices; s++)
    for (int i = 0; i < n; i++) {
      f[0][s][i] = q[0][s][i] * q[1][s][i];
      f[3][s][i] = q[2][s][i] + q[3][s][i];
    }
  for (int s = 0; s < slices; s++)
    for (int v = 4; v < quantities; v++)
      for (int i = 0; i < n; i++)
        f[v][s][i] = f[v][s][i] * q[v][s][i];
}
