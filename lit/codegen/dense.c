// Dense products as the plan has them: a transposed factor is packed, a row of sums is expanded so that its products are one
// matrix product, and two products in different roles get loops of their own; rows of small products are not packed. Sizes are no multiples of a register tile.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.tiled
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.tiled | cmp - %t.expected
//
// CHECK: remark: loop nest transformed: {{.*}}1 register tile, 2 packed operands
// CHECK: remark: loop nest transformed: {{.*}}1 register tile, 1 packed operand
// CHECK: remark: loop nest transformed: {{.*}}2 register tiles, 2 packed operands
// CHECK: remark: loop nest transformed: {{.*}}1 register tile;
#define N 83
void transposed(int n, double f, double (*restrict a)[N], double (*restrict c)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j <= i; j++)
        c[i][j] += f * a[i][k] * a[j][k];
}

void rows(int m, int n, double (*a)[N][N], double (*c)[N], double *sum) {
  for (int r = 0; r < m; r++)
    for (int q = 0; q < n; q++) {
      for (int p = 0; p < n; p++) {
        sum[p] = 0;
        for (int s = 0; s < n; s++)
          sum[p] += a[r][q][s] * c[s][p];
      }
      for (int p = 0; p < n; p++)
        a[r][q][p] = sum[p];
    }
}

void both(int n, double f, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = 0;
      for (int k = 0; k < i; k++) {
        c[k][j] += f * b[i][j] * a[i][k];
        t += b[k][j] * a[i][k];
      }
      c[i][j] = c[i][j] + f * t;
    }
}

void batch(int m, int n, double (*restrict a)[20][20], double (*restrict b)[20][20], double (*restrict c)[20][20]) {
  for (int s = 0; s < m; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          c[s][i][j] += a[s][i][k] * b[s][k][j];
}
#ifdef MAIN
#include <stdio.h>
static double u[3][3][20][20];
static double w[3][N][N], x[N][N], y[N][N], z[N][N], sum[N];
int main(void) {
  for (int n = 1; n <= N; n += 3) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        x[i][j] = (i * 7 + j) % 31 * 0.125;
        y[i][j] = (i + j * 5) % 29 * 1e-3;
        w[n % 3][i][j] = z[i][j] = i - j;
        sum[j] = -1;
      }
    transposed(n, 1.7, x, z);
    rows(3, n, w, y, sum);
    both(n, 0.3, x, y, z);
    for (int i = 0; i < 3 * 3 * 400; i++)
      (&u[0][0][0][0])[i] = (i * 5 + n) % 37 * 0.2;
    batch(3, n % 20 + 1, u[0], u[1], u[2]);
    fwrite(u, sizeof u, 1, stdout);
    fwrite(w, sizeof w, 1, stdout);
    fwrite(z, sizeof z, 1, stdout);
    fwrite(sum, sizeof sum, 1, stdout);
  }
}
#endif
