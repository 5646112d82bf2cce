// Where only threads gain, and only with very many iterations, nothing is gained by a second version: copies, fills and sums of one
// loop. Two loops, sizes that are products, work that takes longer, and known sizes are something else; so is a user who asks.
// RUN: %clang -O3 -march=x86-64-v3 -S -o /dev/null %s -Rpass=polytile -Rpass-analysis=polytile 2>&1 | FileCheck %s
// RUN: env POLYTILE=parallel=all %clang -O3 -march=x86-64-v3 -S -o /dev/null %s -Rpass=polytile 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env POLYTILE=parallel-min-us=5 %clang -O3 -march=x86-64-v3 -S -o /dev/null %s -Rpass=polytile 2>&1 | FileCheck %s --check-prefix=SOON

void add(long n, double *restrict a, double *restrict b) {
  // CHECK-DAG: far.c:[[@LINE+3]]:3: remark: loop not transformed: no gain expected: only threads gain, and only with very many iterations (parallel=all)
  // ALL-DAG: far.c:[[@LINE+2]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
  // SOON-DAG: far.c:[[@LINE+1]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
  for (long i = 0; i < n; i++)
    a[i] += b[i];
}

void between(long from, long to, double *restrict a, double *restrict b) {
  // CHECK-DAG: far.c:[[@LINE+1]]:3: remark: loop not transformed: no gain expected: only threads gain
  for (long i = from; i < to; i++)
    a[i] += b[i];
}

void rows(long n, long m, double a[restrict n][m], double b[restrict n][m]) {
  // CHECK-DAG: far.c:[[@LINE+1]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] += b[i][j];
}

void flat(int n, int m, double *restrict a, double *restrict b) {
  // CHECK-DAG: far.c:[[@LINE+1]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
  for (int i = 0; i < n * m; i++)
    a[i] += b[i];
}

void roots(long n, double *restrict a, double *restrict b) {
  // CHECK-DAG: far.c:[[@LINE+1]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
  for (long i = 0; i < n; i++)
    a[i] = a[i] / b[i];
}

static double x[8000000], y[8000000];
void whole(void) {
  // CHECK-DAG: far.c:[[@LINE+1]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
  for (long i = 0; i < 8000000; i++)
    x[i] += y[i];
}
