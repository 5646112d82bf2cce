// Arrays that only pass values from a chain to the one behind it: lanes keep them in panels (array contraction), whichever way
// they are stored. What the last step leaves is stored by that step. Declined where a later nest reads the values, where
// lanes hand them on across rows, and where nothing overwrites them.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;dump=ast" %clang -O3 -march=znver4 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.lanes
// RUN: env OMP_NUM_THREADS=3 %t.lanes | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.lanes | cmp - %t.expected
#define N 75

// Columns of u, then rows of v; p and q are stored by the last step of the second sweep.
// CHECK: // 2 x 8 lanes, {{A[0-9]}} contracted, {{A[0-9]}} contracted
// CHECK: if (((c0 + 1) == p0))
// CHECK-NEXT: // 2 x 8 lanes{{$}}
// CHECK: else
// CHECK-NEXT: // 2 x 8 lanes, {{A[0-9]}} contracted, {{A[0-9]}} contracted
__attribute__((noinline)) void both(int t, int n, double (*restrict u)[N], double (*restrict v)[N], double (*restrict p)[N],
                                    double (*restrict q)[N]) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) {
      p[i][0] = 0;
      q[i][0] = 1;
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = 0.25 / (0.25 * p[i][j - 1] + 1.5);
        q[i][j] = (u[j][i - 1] + u[j][i + 1] + 0.25 * q[i][j - 1]) / (0.25 * p[i][j - 1] + 1.5);
      }
      for (int j = n - 2; j > 0; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      p[i][0] = 0;
      q[i][0] = 1;
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = 0.5 / (0.25 * p[i][j - 1] + 1.25);
        q[i][j] = (v[i - 1][j] + v[i + 1][j] + 0.5 * q[i][j - 1]) / (0.25 * p[i][j - 1] + 1.25);
      }
      for (int j = n - 2; j > 0; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

// The same with p stored by columns: panels all the same.
// CHECK: lanes, {{A[0-9]}} contracted
// CHECK: if (((c0 + 1) == p0))
// CHECK: else
// CHECK-NEXT: // 2 x 8 lanes, {{A[0-9]}} contracted
__attribute__((noinline)) void columns(int t, int n, double (*restrict u)[N], double (*restrict v)[N], double (*restrict p)[N]) {
  for (int s = 0; s < t; s++) {
    for (int i = 0; i < n; i++) {
      p[0][i] = 1;
      for (int j = 1; j < n; j++)
        p[j][i] = u[i][j] / (p[j - 1][i] + 2);
      for (int j = n - 2; j >= 0; j--)
        u[i][j] = u[i][j + 1] * p[j][i] + 1;
    }
    for (int i = 0; i < n; i++) {
      p[0][i] = u[0][i];
      for (int j = 1; j < n; j++)
        p[j][i] = u[j][i] / (p[j - 1][i] + 3);
      for (int j = n - 2; j >= 0; j--)
        v[i][j] = v[i][j + 1] * p[j][i] + 1;
    }
  }
}

// The second nest reads what the first leaves in p.
// CHECK-NOT: contracted
__attribute__((noinline)) void kept(int t, int n, double (*restrict u)[N], double (*restrict p)[N]) {
  for (int s = 0; s < t; s++) {
    for (int i = 0; i < n; i++) {
      p[i][0] = 1;
      for (int j = 1; j < n; j++)
        p[i][j] = u[i][j] / (p[i][j - 1] + 2);
    }
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        u[j][i] = u[j - 1][i] * 0.5 + p[j][i];
  }
}

// The second sweep overwrites all but the last element of each row.
// CHECK-NOT: contracted
__attribute__((noinline)) void partly(int n, double (*restrict u)[N], double (*restrict p)[N]) {
  for (int i = 0; i < n; i++) {
    p[i][0] = 1;
    for (int j = 1; j < n; j++)
      p[i][j] = u[i][j] / (p[i][j - 1] + 2);
    for (int j = n - 2; j >= 0; j--)
      u[i][j] = u[i][j + 1] * p[i][j] + 1;
  }
  for (int i = 0; i < n; i++) {
    p[i][0] = 2;
    for (int j = 1; j < n - 1; j++)
      p[i][j] = u[j][i] / (p[i][j - 1] + 3);
  }
}

#ifdef MAIN
#include <stdio.h>
double u[N][N], v[N][N], p[N][N], q[N][N];

static void run(int which, int t, int n) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      u[i][j] = (i * 7 + j * 3) % 11 / 8.0;
      v[i][j] = (i + j * 5) % 13 / 4.0;
      p[i][j] = q[i][j] = 9;
    }
  switch (which) {
  case 0:
    both(t, n, u, v, p, q);
    break;
  case 1:
    columns(t, n, u, v, p);
    break;
  case 2:
    kept(t, n, u, p);
    break;
  default:
    partly(n, u, p);
  }
  fwrite(u, sizeof u, 1, stdout);
  fwrite(v, sizeof v, 1, stdout);
  fwrite(p, sizeof p, 1, stdout);
  fwrite(q, sizeof q, 1, stdout);
}

int main(void) {
  for (int which = 0; which < 4; which++)
    for (int n = 2; n < N; n += n < 20 ? 1 : 9)
      for (int t = 0; t < 4; t++)
        run(which, t, n);
  return 0;
}
#endif
