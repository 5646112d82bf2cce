// A script says what is done to a region. What it asks for is checked step by step; what is wrong with it is an error.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// DEFINE: %{with} = env "POLYTILE=min-work=0;script=%t/given.pt" %clang -O2 -g1 %t/two.c
//
// RUN: cp %t/legal.pt %t/given.pt && %{with} -o %t/scripted 2> %t/printed && %plainclang -O2 %t/two.c -o %t/plain
// RUN: FileCheck --check-prefix=PRINTED %s < %t/printed
// RUN: %t/scripted > %t/scripted.out && %t/plain > %t/plain.out && cmp %t/scripted.out %t/plain.out
// PRINTED: S0 [0,0,0]
// PRINTED: S1 [0,1,0]
// PRINTED: interchange [1]
// PRINTED: fuse [0]
//
// The other ways in.
// RUN: %clang -O2 -g1 -mllvm -polytile-script=%t/legal.pt -S -o /dev/null %t/two.c 2>&1 | FileCheck --check-prefix=PRINTED %s
//
// RUN: cp %t/illegal.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=ILLEGAL %s
// ILLEGAL: error: polytile: {{.*}}given.pt:2:3: fuse [0]: illegal: a dependence runs backwards: flow dependence through {{.*}} from S0 ({{.*}}two.c:{{[78]}}) to S1 ({{.*}}two.c:{{1[01]}}); for example with
// ILLEGAL-SAME: must come first, but runs at time
// RUN: cp %t/unchecked.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=UNCHECKED %s
// UNCHECKED: error: polytile: {{.*}}given.pt:1:1: not emitted: a dependence runs backwards
// RUN: cp %t/structure.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=STRUCTURE %s
// STRUCTURE: error: polytile: {{.*}}given.pt:2:3: fuse [5]: there is no loop or statement [5]
// RUN: cp %t/words.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=WORDS %s
// WORDS: error: polytile: {{.*}}given.pt:2:3: unknown command 'interchang'; did you mean 'interchange'?
// RUN: cp %t/elsewhere.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=ELSEWHERE %s
// ELSEWHERE: error: polytile: {{.*}}given.pt:1:1: no static control part is region two:99; there are: two:6 statements 2
// RUN: cp %t/nowhere.pt %t/given.pt && %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=NOWHERE %s
// NOWHERE: warning: polytile: {{.*}}given.pt:1:1: region three is in no function of this module
// RUN: rm %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=ABSENT %s
// ABSENT: error: polytile: script file '{{.*}}given.pt' cannot be read: No such file
// RUN: not env POLYTILE=schedule=/nonexistent %clang -O2 -S -o /dev/null %t/two.c 2>&1 | FileCheck --check-prefix=SCHEDULE %s
// SCHEDULE: error: polytile: schedule file '/nonexistent' cannot be read: No such file

//--- two.c
#include <stdio.h>
enum { M = 37, N = 41 };
static double A[M], B[M][N], C[N], D[N], E[M][N];
__attribute__((noinline)) void two(int m, int n, double A[restrict M], double B[restrict M][N], double C[restrict N],
                                   double D[restrict N], double E[restrict M][N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      A[i] += B[i][j] * C[j];
  for (int k = 0; k < n; k++)
    for (int l = 0; l < m; l++)
      D[k] += E[l][k] * A[l];
}
int main(void) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      B[i][j] = (i * j + 1) % 7;
      E[i][j] = (i + 3 * j) % 11 / 3.0;
      C[j] = j / 5.0;
    }
  for (int m = 0; m <= M; m += M - m > 3 ? 3 : 1)
    for (int n = 0; n <= N; n += N - n > 4 ? 4 : 1)
      two(m, n, A, B, C, D, E);
  for (int i = 0; i < M; i++)
    printf("%a\n", A[i]);
  for (int j = 0; j < N; j++)
    printf("%a\n", D[j]);
}

//--- legal.pt
define both(P, Q) { interchange Q; fuse P }
region two:6 {
  both([0], [1])
  print beta
  print script
}

//--- illegal.pt
region two {
  fuse [0]
}

//--- unchecked.pt
region two.c:6 {
  check off
  fuse [0]
}

//--- structure.pt
region two:6 {
  fuse [5]
}

//--- words.pt
region two {
  interchang [0]
}

//--- elsewhere.pt
region two:99 { fuse [0] }

//--- nowhere.pt
region three { fuse [0] }
