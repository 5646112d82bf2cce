// Loops that were unrolled, by the compiler or by hand, are rolled up in the model: one contiguous statement instead of
// several with gaps.
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=channels" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CHANNELS
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=by_hand" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=HAND
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=by_statement" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=STATEMENT
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=crossed" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=product" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=numbers" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.rolled
// RUN: env OMP_NUM_THREADS=3 %t.rolled | cmp - %t.expected
//
// Three bytes of a pixel, with casts:
// CHANNELS: stmt S0
// CHANNELS: write { S0[i0, i1] -> {{.*}}[i0, i1] }
// CHANNELS-NOT: stmt
#define N 300
void channels(int h, int w, unsigned char (*restrict out)[3 * N], unsigned char (*restrict in)[3 * N]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int c = 0; c < 3; c++)
        out[y][3 * x + c] = (unsigned char)((in[y][3 * x + c] * 3 + in[y + 1][3 * x + c]) >> 2);
}

// A multiple of four elements and the rest, as people write it, is the whole row:
// HAND: stmt S0
// HAND: write { S0[i0, i1] -> {{.*}}[i0, i1] }
// HAND-NOT: stmt
void by_hand(int m, int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < m; i++) {
    int j = 0;
    for (; j + 3 < n; j += 4) {
      a[i][j] += 2 * b[i][j];
      a[i][j + 1] += 2 * b[i][j + 1];
      a[i][j + 2] += 2 * b[i][j + 2];
      a[i][j + 3] += 2 * b[i][j + 3];
    }
    for (; j < n; j++)
      a[i][j] += 2 * b[i][j];
  }
}

// Two stores, each of them unrolled: the second one takes what the first has written, in one statement.
// STATEMENT: stmt S0
// STATEMENT: write { S0[i0, i1] -> [[A:M[0-9]_argument_[0-9]]][i0, i1] }
// STATEMENT: write { S0[i0, i1] -> {{.*}}[i0, i1] }
// STATEMENT-NOT: stmt
void by_statement(int m, int n, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      a[i][2 * j] = 0.5 * c[i][2 * j];
      a[i][2 * j + 1] = 0.5 * c[i][2 * j + 1];
      b[i][2 * j] += c[i][2 * j];
      b[i][2 * j + 1] += c[i][2 * j + 1];
    }
}

// Here an element would be read before it is written: refused.
// CROSSED: write { S0[i0, i1] -> {{.*}}[i0, 2i1] }
void crossed(int m, int n, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      a[i][2 * j] = 0.5 * c[i][2 * j];
      a[i][2 * j + 1] = 0.5 * c[i][2 * j + 1];
      b[i][2 * j] += a[i + 1][2 * j] + a[i][2 * j + 1];
      b[i][2 * j + 1] += a[i + 1][2 * j + 1] + a[i][2 * j + 2];
    }
}

// Real and imaginary parts are computed differently: refused.
// PRODUCT: write { S0[i0, i1] -> {{.*}}[i0, 2i1] }
void product(int m, int n, double (*restrict z)[N], double (*restrict x)[N], double (*restrict y)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      z[i][2 * j] = x[i][2 * j] * y[i][2 * j] - x[i][2 * j + 1] * y[i][2 * j + 1];
      z[i][2 * j + 1] = x[i][2 * j] * y[i][2 * j + 1] + x[i][2 * j + 1] * y[i][2 * j];
    }
}

// Numbers of the iterations are operands:
// NUMBERS: stmt S0
// NUMBERS: write { S0[i0, i1] -> {{.*}}[i0, i1] }
// NUMBERS-NOT: stmt
void numbers(int m, int n, int (*restrict a)[N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      a[i][2 * j] += i + 6 * j;
      a[i][2 * j + 1] += i + 6 * j + 3;
    }
}
#ifdef MAIN
#include <stdio.h>
static unsigned char p[20][3 * N], q[21][3 * N];
static double a[21][N], b[20][N], c[20][N], d[20][N];
static int k[20][N];
int main(void) {
  const int sizes[] = {0, 1, 2, 3, 5, 40, 131, 140};
  for (int s = 0; s < 8; s++) {
    int m = s < 5 ? 4 : 20, n = sizes[s];
    for (int i = 0; i < 21; i++)
      for (int j = 0; j < 3 * N; j++)
        q[i][j] = (unsigned char)(i * 71 + j * 13);
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = (i * 7 + j * 13) % 31 * 0.37;
        b[i][j] = (i + j * 5) % 57 * 0.11;
        c[i][j] = (i * 3 + j * 11) % 17 * 0.7;
        k[i][j] = i * j;
      }
    channels(m, n, p, q);
    by_hand(m, 2 * n, a, b);
    by_statement(m, n, a, b, c);
    crossed(m, n, a, b, c);
    product(m, n, d, b, c);
    numbers(m, n, k);
    fwrite(p, sizeof p, 1, stdout);
    fwrite(a, sizeof a, 1, stdout);
    fwrite(b, sizeof b, 1, stdout);
    fwrite(d, sizeof d, 1, stdout);
    fwrite(k, sizeof k, 1, stdout);
  }
}
#endif
