// Arrays of constant size that an iteration makes for itself: for C, `U` is no constant, and the arrays have variable size. They are objects of
// the function while a nest is looked at. Those whose addresses live longer, and those of variable size, stay where they are made.
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=block" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: env "POLYTILE=min-work=0;dump=scop;stop-after=scop;only=smooth" %clang -O3 -march=native -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SMOOTH
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=native -S -emit-llvm -o - %s | FileCheck %s --check-prefix=LEFT
// RUN: env "POLYTILE=min-work=0" %clang -O3 -march=native -ffp-contract=fast -S -emit-llvm -o - %s | FileCheck %s --check-prefix=FUSED
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.settled
// RUN: env OMP_NUM_THREADS=3 %t.settled | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.settled | cmp - %t.expected
#include <stddef.h>
#define N 64

// Eight sums, which the compiler has in registers: only the markers are left of the array.
// BLOCK: stmt S1
// BLOCK: write { S1[i0, i1, i2] -> {{.*}}[i0, i1] }
// BLOCK-NOT: stmt
void block(int m, int n, int l, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  const int U = 8;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double r[U];
      for (int u = 0; u < U; u++)
        r[u] = 0.5;
      for (int k = 0; k < l; k++)
        for (int u = 0; u < U; u++)
          r[u] += a[i * U + u][k] * b[j][k];
      for (int u = 0; u < U; u++)
        c[i * U + u][j] = r[u];
    }
}

// An array in memory.
// SMOOTH: array {{.*}} f64 memory
// SMOOTH: stmt S1
void smooth(int m, int n, double (*restrict a)[N]) {
  const int U = N;
  for (int i = 0; i < m; i++) {
    double r[U];
    for (int j = 0; j < n; j++)
      r[j] = a[i][j] * 0.5;
    for (int j = 1; j < n - 1; j++)
      a[i][j] = r[j - 1] + r[j] * 0.25 + r[j + 1];
  }
}
// LEFT: define {{.*}}@smooth(
// LEFT-NOT: @llvm.stacksave
// LEFT-LABEL: define {{.*}}@listed(
// In a register, a product would meet a sum.
// FUSED: define {{.*}}@smooth(
// FUSED: @llvm.stacksave
// FUSED-LABEL: define {{.*}}@listed(

// Every element of a list is there until the function ends, beside a nest that is transformed.
// LEFT: alloca [16 x i8]
// LEFT-LABEL: define {{.*}}@buffers(
struct element {
  struct element *next;
  double v;
};
double listed(int m, int n, double (*restrict a)[N]) {
  struct element *first = NULL;
#pragma clang loop vectorize(disable) // LLVM would make one element for all lanes
  for (int i = 0; i < m; i++) {
    struct element *e = __builtin_alloca(sizeof *e);
    e->next = first;
    e->v = a[i][0];
    first = e;
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i][j] *= 0.5;
  double s = 0;
  for (struct element *e = first; e; e = e->next)
    s = s * 0.5 + e->v;
  return s;
}

// The array of the iteration before is read.
double buffers(int m, int n, double (*restrict a)[N]) {
  double first[N] = {1, 2, 3}, *last = first;
  for (int i = 0; i < m; i++) {
    double *now = __builtin_alloca(N * sizeof(double));
    for (int j = 0; j < n; j++)
      now[j] = last[j] * 0.5 + a[i][j];
    for (int j = 0; j < n; j++)
      a[i][j] = now[j] - last[n - 1 - j];
    last = now;
  }
  return last[0];
}

// Of variable size, and left early.
double sized(int m, int n, int u, double (*restrict a)[N]) {
  double s = 0;
  for (int i = 0; i < m; i++) {
    double r[u + 1];
    for (int j = 0; j <= u; j++)
      r[j] = a[i][j % n] * 3;
    s += r[i % (u + 1)];
    if (s > 50)
      break;
    for (int j = 0; j < n; j++)
      a[i][j] += r[j % (u + 1)];
  }
  return s;
}

// One array in the other's loop, and a function that is on the stack many times.
double deep(int depth, int m, int n, double (*restrict a)[N]) {
  const int U = 8, V = 100;
  for (int i = 0; i < m; i++) {
    double r[U];
    for (int u = 0; u < U; u++)
      r[u] = u * 0.5;
    for (int j = 0; j < n; j++) {
      double t[V];
      for (int u = 0; u < V; u++)
        t[u] = a[i][j] + u;
      for (int u = 0; u < U; u++)
        r[u] = r[u] * 0.5 + t[(u * 7 + j) % V];
    }
    for (int u = 0; u < U; u++)
      a[i][u] = r[u];
  }
  return depth > 0 ? deep(depth - 1, m, n, a) * 0.5 : a[0][0];
}

#ifdef MAIN
#include <stdio.h>
static double a[N][N], b[N][N], c[N][N];
static void show(double s) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      s = s * 0.75 + a[i][j] * 0.25 + c[i][j];
  printf("%a\n", s);
}
int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 8, 63, 64};
  for (int s = 0; s < 7; s++) {
    int n = sizes[s];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = (i * 7 + j * 13) % 31 * 0.0037;
        b[i][j] = (i + j * 5) % 57 * 0.11;
        c[i][j] = (i * 3 + j * 11) % 17 * 0.7;
      }
    block(n / 8, n, n, c, a, b);
    show(0);
    smooth(n, n, a);
    show(listed(n, n, a));
    show(buffers(n, n, a));
    show(sized(n, n ? n : 1, n / 2, a));
    show(deep(3, n, n, a));
  }
}
#endif
