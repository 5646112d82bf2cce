// Chains in the loops inside, independent iterations around them: the lanes are iterations of the outer loop. Both directions,
// lanes that lie side by side and apart, elements handed on over one and two steps, a run-time row length, sizes that leave
// iterations and steps over.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=znver4 -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.lanes
// RUN: env OMP_NUM_THREADS=3 %t.lanes | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast;only=solve" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=AST %s
//
// CHECK: lanes.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop, 1 vector loop
void ahead(int m, int n, double (*restrict a)[75]) {
  for (int i = 0; i < m; i++)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = a[i][j - 1] * 0.5 + a[i][j] + a[i][j + 1];
}

// CHECK: lanes.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 parallel loop, 1 vector loop
void filter(int m, int n, float (*restrict x)[n], float (*restrict y)[n]) {
  for (int i = 0; i < m; i++)
    for (int j = 2; j < n; j++)
      y[i][j] = 0.5f * x[i][j] + 0.25f * x[i][j - 1] + 0.75f * y[i][j - 1] - 0.125f * y[i][j - 2];
}

// Both directions in one loop; p and q are what the caller gets.
// AST: // 2 x 8 lanes{{$}}
// AST: S3(
// AST: S4(
void solve(int m, int n, double (*restrict p)[75], double (*restrict q)[75], double (*restrict v)[75]) {
  for (int i = 0; i < m; i++) {
    p[i][0] = 0;
    q[i][0] = v[0][i];
    for (int j = 1; j < n - 1; j++) {
      p[i][j] = 0.25 / (0.25 * p[i][j - 1] + 1.5);
      q[i][j] = (v[j][i] + 0.25 * q[i][j - 1]) / (0.25 * p[i][j - 1] + 1.5);
    }
    for (int j = n - 2; j > 0; j--)
      v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
  }
}

void most(int m, int n, int (*restrict x)[75], int (*restrict y)[75]) {
  for (int i = 0; i < m; i++)
    for (int j = n - 2; j >= 0; j--)
      y[i][j] = y[i][j + 1] > x[i][j] ? y[i][j + 1] - x[i][j] : x[i][j];
}

#ifdef MAIN
#include <stdio.h>
double a[75][75], p[75][75], q[75][75], v[75][75];
float x[75 * 75], y[75 * 75];
int s[75][75], t[75][75];

int main(void) {
  for (int m = 1; m < 75; m += m < 20 ? 1 : 9)
    for (int n = 2; n < 75; n += n < 20 ? 1 : 11) {
      for (int i = 0; i < 75; i++)
        for (int j = 0; j < 75; j++) {
          a[i][j] = (i * 7 + j * 3) % 11 / 8.0;
          p[i][j] = q[i][j] = 9;
          v[i][j] = (i + j * 5) % 13 / 4.0;
          x[i * 75 + j] = (i * 5 + j) % 17;
          y[i * 75 + j] = j % 3;
          s[i][j] = (i * 13 + j * 29) % 23;
          t[i][j] = j;
        }
      ahead(m, n, a);
      filter(m, n, (void *)x, (void *)y);
      solve(m, n, p, q, v);
      most(m, n, s, t);
      fwrite(a, sizeof a, 1, stdout);
      fwrite(y, sizeof y, 1, stdout);
      fwrite(p, sizeof p, 1, stdout);
      fwrite(q, sizeof q, 1, stdout);
      fwrite(v, sizeof v, 1, stdout);
      fwrite(t, sizeof t, 1, stdout);
    }
  return 0;
}
#endif
