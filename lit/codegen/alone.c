// A loop around others that have new versions of their own is told so: their calls are nobody's business.
// RUN: %clang -O3 -march=znver4 -fopenmp -Rpass=polytile -Rpass-missed=polytile -c -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not="call of '"

// Colours by the parity of a row and a plane: the loops over columns are taken one by one.
// CHECK-DAG: remark: loop nest transformed
// CHECK-DAG: remark: loop nest not transformed: {{a loop in it was transformed alone|work budget exceeded}}
void colours(int n, int m, int l, int t, double (*u)[n][m], double (*f)[n][m]) {
  for (int s = 0; s < t; s++) {
    for (int k = 1; k < l - 1; k++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + ((i + k) & 1); j < m - 1; j += 2)
          u[k][i][j] = (u[k][i][j - 1] + u[k][i][j + 1] + u[k][i - 1][j] + u[k][i + 1][j] + u[k - 1][i][j] + u[k + 1][i][j] - f[k][i][j]) / 6;
    for (int k = 1; k < l - 1; k++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 2 - ((i + k) & 1); j < m - 1; j += 2)
          u[k][i][j] = (u[k][i][j - 1] + u[k][i][j + 1] + u[k][i - 1][j] + u[k][i + 1][j] + u[k - 1][i][j] + u[k + 1][i][j] - f[k][i][j]) / 6;
  }
}
