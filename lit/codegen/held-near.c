// Pointers in a structure that a nest reads only where data says so: they are read in front of the nest where they lie in one page with something that is
// read in any case. Where they do not, there may be nothing: the structure of the last call ends with its page, and so do the first fields.
// RUN: env POLYTILE='min-work=0;parallel-min-us=0' %clang -O3 -march=native -fopenmp -Rpass=polytile -Rpass-missed=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain
// RUN: env OMP_NUM_THREADS=2 POLYTILE_VERBOSE=1 %t > %t.out 2> %t.report
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
// RUN: FileCheck --check-prefix=REPORT --input-file=%t.report %s
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  long n;
  double cut, *x, *y, *fx, *fy;
} bodies;

// One body has no others, and reads nothing of them.
// REPORT: forces: new version 7 ({{.*}}), original 2;
// CHECK: held-near.c:[[@LINE+2]]:3: remark: loop nest transformed
__attribute__((noinline)) void forces(bodies *s) {
  for (long i = 0; i < s->n; i++)
    for (long j = 0; j < s->n; j++) {
      if (i == j)
        continue;
      double dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j], r = dx * dx + dy * dy;
      if (r < s->cut) {
        s->fx[i] += dx / r;
        s->fy[i] += dy / r;
      }
    }
}

int main(void) {
  double sum = 0, *m = calloc(2000, sizeof(double));
  for (int i = 0; i < 1000; i++)
    m[i] = (i * 2654435761u >> 8) % 1000 / 50.0;
  bodies *s = aligned_alloc(64, 64);
  for (int n = 1; n < 500; n = 2 * n + 1) {
    *s = (bodies){n, 9, m, m + n, m + 2 * n, m + 3 * n};
    forces(s);
    for (int i = 0; i < 2000; i++)
      sum = sum * 0.99 + m[i];
    printf("%d %a\n", n, sum);
  }
  long page = sysconf(_SC_PAGESIZE);
  char *two = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(two + page, page, PROT_NONE);
  bodies *last = (bodies *)(two + page - offsetof(bodies, fx));
  last->n = 300, last->cut = -1, last->x = m, last->y = m + 300;
  forces(last);
  puts("done");
}
