// Copies of operands read what the program reads and nothing else: factors are mapped as read-only, and right behind their last element, or in front of
// their first one, is a page that nobody may touch. Sizes that no tile divides, threads with panels of their own.
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -Rpass=polytile %s -o %t.packed 2>&1 | FileCheck %s
// CHECK: remark: loop nest transformed: {{.*}}packed
// RUN: env OMP_NUM_THREADS=1 %t.packed | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.packed | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 MALLOC_PERTURB_=255 %t.packed | cmp - %t.expected
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) void product(long ni, long nj, long nk, double alpha, double (*restrict c)[nj], double (*restrict a)[nk],
                                       double (*restrict b)[nk]) {
  for (long i = 0; i < ni; i++)
    for (long j = 0; j < nj; j++)
      for (long k = 0; k < nk; k++)
        c[i][j] += alpha * a[i][k] * b[j][k];
}

// Numbers between two pages that may not be accessed, flush with one of them.
static double *guarded(long count, int at_end) {
  long page = sysconf(_SC_PAGESIZE), bytes = count * (long)sizeof(double), body = (bytes + page - 1) / page * page + page;
  char *all = mmap(NULL, body + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    exit(2);
  double *first = (double *)(all + page + (at_end ? body - bytes : 0));
  for (long x = 0; x < count; x++)
    first[x] = x * 7 % 23 / 3.0;
  if (mprotect(all + page, body, PROT_READ) || mprotect(all, page, PROT_NONE) || mprotect(all + page + body, page, PROT_NONE))
    exit(2);
  return first;
}

int main(void) {
  static const long sizes[][3] = {{1, 1, 1}, {3, 5, 2}, {7, 17, 257}, {37, 41, 129}, {97, 101, 391}, {0, 9, 9}, {9, 9, 0}};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int at_end = 0; at_end < 2; at_end++) {
      long ni = sizes[s][0], nj = sizes[s][1], nk = sizes[s][2];
      double *a = guarded(ni * nk, at_end), *b = guarded(nj * nk, at_end), *c = calloc(ni * nj + 1, sizeof *c);
      product(ni, nj, nk, 1.5, (void *)c, (void *)a, (void *)b);
      for (long x = 0; x < ni * nj; x++)
        printf("%a\n", c[x]);
      free(c);
    }
}
