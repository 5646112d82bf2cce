// Loops with dozens of statements: blocks of a Jacobian, zeros of which are ranges of bytes to the compiler, are one statement; sweeps along
// lines with borders of their own keep the original's order, with lines on threads.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: env POLYTILE='dump=scop;only=blocks' %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=BLOCKS %s
// RUN: env POLYTILE='dump=ast;only=lines;fusion=original' %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=LINES %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on;fusion=original' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.original
// RUN: env OMP_NUM_THREADS=3 %t.original | cmp - %t.expected
#include <stdio.h>

enum { Most = 200 };
typedef double Cell[5];
typedef double Block[5][5];

// REMARK-DAG: crowded.c:[[@LINE+7]]:3: {{.*}}: loop nest transformed: 1 statement, 1 parallel loop
// BLOCKS: stmt S0
// BLOCKS-COUNT-25: {{^  write}}
// BLOCKS-NOT: stmt S1
__attribute__((noinline)) void blocks(int n, double dt, Cell (*u)[Most], Block (*d)[Most]) {
  // The first four in a row are set to zero as one range, others two and three at a time.
  // Each store needs what the first lines compute.
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      double w = 1.0 / u[i][j][0], w2 = w * w, w3 = w2 * w;
      double *c = u[i][j];
      Block *b = &d[i][j];
      (*b)[0][0] = 1.0 + 2.0 * dt;
      (*b)[0][1] = 0.0;
      (*b)[0][2] = 0.0;
      (*b)[0][3] = 0.0;
      (*b)[0][4] = 0.0;
      (*b)[1][0] = -dt * w2 * c[1];
      (*b)[1][1] = 1.0 + dt * w;
      (*b)[1][2] = 0.0;
      (*b)[1][3] = 0.0;
      (*b)[1][4] = 0.0;
      (*b)[2][0] = -dt * w2 * c[2];
      (*b)[2][1] = 0.0;
      (*b)[2][2] = 1.0 + dt * w;
      (*b)[2][3] = 0.0;
      (*b)[2][4] = 0.0;
      (*b)[3][0] = -dt * w2 * c[3];
      (*b)[3][1] = 0.0;
      (*b)[3][2] = 0.0;
      (*b)[3][3] = 1.0 + dt * w;
      (*b)[3][4] = 0.0;
      (*b)[4][0] = dt * (w3 * (c[1] * c[1] + c[2] * c[2] + c[3] * c[3]) - w2 * c[4]);
      (*b)[4][1] = -dt * w2 * c[1];
      (*b)[4][2] = -dt * w2 * c[2];
      (*b)[4][3] = -dt * w2 * c[3];
      (*b)[4][4] = 1.0 + dt * 1.4 * w;
    }
}

// REMARK-DAG: crowded.c:[[@LINE+7]]:3: {{.*}}: loop nest transformed: {{[23][0-9]}} statements, 1 parallel loop
// LINES: // parallel
// LINES: for (c0 =
// LINES: for (c1 =
// LINES-NOT: parallel
__attribute__((noinline)) void lines(int n, double h, Cell (*u)[Most], Cell (*flux)[Most], Cell (*r)[Most]) {
  // One line after the other.
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < n; j++) {
      double v = u[i][j][1] / u[i][j][0];
      flux[i][j][0] = u[i][j][1];
      flux[i][j][1] = u[i][j][1] * v + 0.4 * u[i][j][4];
      flux[i][j][2] = u[i][j][2] * v;
      flux[i][j][3] = u[i][j][3] * v;
      flux[i][j][4] = u[i][j][4] * v * 1.4;
    }
    for (int j = 1; j < n - 1; j++)
      for (int m = 0; m < 5; m++)
        r[i][j][m] -= h * (flux[i][j + 1][m] - flux[i][j - 1][m]);
    for (int j = 1; j < n; j++) {
      double a = 1.0 / u[i][j][0], b = 1.0 / u[i][j - 1][0];
      flux[i][j][1] = h * (u[i][j][1] * a - u[i][j - 1][1] * b);
      flux[i][j][2] = h * (u[i][j][2] * a - u[i][j - 1][2] * b);
      flux[i][j][3] = h * (u[i][j][3] * a - u[i][j - 1][3] * b);
      flux[i][j][4] = h * (u[i][j][4] * a - u[i][j - 1][4] * b);
    }
    for (int j = 1; j < n - 1; j++) {
      r[i][j][0] += h * (u[i][j - 1][0] - 2.0 * u[i][j][0] + u[i][j + 1][0]);
      r[i][j][1] += flux[i][j + 1][1] - flux[i][j][1];
      r[i][j][2] += flux[i][j + 1][2] - flux[i][j][2];
      r[i][j][3] += flux[i][j + 1][3] - flux[i][j][3];
      r[i][j][4] += flux[i][j + 1][4] - flux[i][j][4];
    }
    for (int m = 0; m < 5; m++) {
      r[i][1][m] -= h * (5.0 * u[i][1][m] - 4.0 * u[i][2][m] + u[i][3][m]);
      r[i][2][m] -= h * (-4.0 * u[i][1][m] + 6.0 * u[i][2][m] - 4.0 * u[i][3][m] + u[i][4][m]);
    }
    for (int j = 3; j < n - 3; j++)
      for (int m = 0; m < 5; m++)
        r[i][j][m] -= h * (u[i][j - 2][m] - 4.0 * u[i][j - 1][m] + 6.0 * u[i][j][m] - 4.0 * u[i][j + 1][m] + u[i][j + 2][m]);
    for (int m = 0; m < 5; m++) {
      r[i][n - 3][m] -= h * (u[i][n - 5][m] - 4.0 * u[i][n - 4][m] + 6.0 * u[i][n - 3][m] - 4.0 * u[i][n - 2][m]);
      r[i][n - 2][m] -= h * (u[i][n - 4][m] - 4.0 * u[i][n - 3][m] + 5.0 * u[i][n - 2][m]);
    }
  }
}

static Cell u[Most][Most], flux[Most][Most], r[Most][Most];
static Block d[Most][Most];

int main(void) {
  for (int i = 0; i < Most; i++)
    for (int j = 0; j < Most; j++)
      for (int m = 0; m < 5; m++) {
        u[i][j][m] = 1.0 + (i * 7 + j * 3 + m * 5) % 11 * 0.125;
        r[i][j][m] = i - j + m;
        for (int k = 0; k < 5; k++)
          d[i][j][m][k] = 9.0;
      }
  int sizes[] = {200, 6, 7, 33};
  for (int s = 0; s < 4; s++) {
    blocks(sizes[s], 0.01 * (s + 1), u, d);
    lines(sizes[s], 0.25, u, flux, r);
  }
  for (int i = 0; i < Most; i++) {
    double sum = 0;
    for (int j = 0; j < Most; j++)
      for (int m = 0; m < 5; m++) {
        sum = sum * 0.99 + r[i][j][m] + flux[i][j][m];
        for (int k = 0; k < 5; k++)
          sum = sum * 0.99 + d[i][j][m][k];
      }
    printf("%a\n", sum);
  }
}
