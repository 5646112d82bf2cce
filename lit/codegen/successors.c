// Two cells that one condition writes are one statement, also where what the condition compares is overwritten (shortest paths with successors). Apart, the
// second one would need the old values from arrays of their own.
// RUN: %clang -O3 -march=native -g1 -fopenmp -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: env POLYTILE='dump=scop;only=paths' %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: env POLYTILE='dump=scop;only=read_back' %clang -O3 -march=native -fopenmp -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: %plainclang -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

// REMARK: successors.c:[[@LINE+7]]:3: {{.*}}: loop nest transformed: 1 statement
// ONE: stmt S0
// ONE: may-write {{.*}}[i1, i2]
// ONE: may-write {{.*}}[i1, i2]
// ONE-NOT: stmt S1
__attribute__((noinline)) void paths(int n, float *d, int *next) {
  // Every path through each place.
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float through = d[i * n + k] + d[k * n + j];
        if (through < d[i * n + j]) {
          d[i * n + j] = through;
          next[i * n + j] = next[i * n + k];
        }
      }
}

// What is read behind the first store may be what it has written.
// TWO: stmt S0
// TWO: stmt S1
__attribute__((noinline)) void read_back(int n, float *d, float *last) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float through = d[i * n + k] + d[k * n + j];
        if (through < d[i * n + j]) {
          d[i * n + j] = through;
          last[i * n + j] = d[i * n + k];
        }
      }
}

int main(void) {
  int sizes[] = {1, 2, 17, 64};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s];
    float *d = malloc(sizeof(float) * n * n), *e = malloc(sizeof(float) * n * n), *last = calloc(n * n, sizeof(float));
    int *next = malloc(sizeof(int) * n * n);
    for (int i = 0; i < n * n; i++) {
      d[i] = e[i] = (i * 7919 + 13) % 1009 - (i % 5 == 0 ? 3 : 0);
      next[i] = i % n;
    }
    paths(n, d, next);
    read_back(n, e, last);
    for (int i = 0; i < n * n; i++)
      printf("%a %d %a %a\n", d[i], next[i], e[i], last[i]);
    free(d);
    free(e);
    free(last);
    free(next);
  }
}
