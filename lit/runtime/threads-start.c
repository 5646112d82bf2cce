// How many threads a region gets: one, without a question to the OpenMP runtime, until the work of a module's regions is worth the
// runtime's start; then as many as threads, processors and the limit allow; all that are asked for where more than that are wanted.
//
// RUN: gcc -std=gnu11 -O1 -Wall -Wextra %s -o %t -lpthread && %t
#include "../../codegen/runtime/threads.c"
#include <stdio.h>
#include <stdlib.h>

static int asked, most = 16, limit = 12, processors = 4, inside;
int omp_get_max_threads(void) { return asked++, most; }
int omp_in_parallel(void) { return asked++, inside; }
int omp_get_thread_limit(void) { return asked++, limit; }
int omp_get_num_procs(void) { return asked++, processors; }
int omp_get_num_threads(void) { return 1; }
void __kmpc_fork_call(const void *place, int32_t count, void *task, ...) { (void)place, (void)count, (void)task; }

static void check(int right, const char *what) {
  if (!right)
    fprintf(stderr, "%s\n", what), exit(1);
}

int main(void) {
  const int64_t tenth = WORTH_A_START / 10;
  for (int i = 1; i < 10; i++)
    check(polytile_threads(tenth) == 1, "a start for little work");
  check(polytile_threads(-1) == 1 && polytile_threads(0) == 1 && !asked, "the runtime was asked");
  check(polytile_threads(tenth) == 4, "no start after enough work");
  check(polytile_threads(0) == 4 && polytile_threads(INT64_MIN) == 4, "the start is forgotten");
  inside = 1, check(polytile_threads(tenth) == 1, "threads inside of threads");
  inside = 0, limit = 3, check(polytile_threads(tenth) == 3, "more than the limit");
  begun = 0, check(polytile_threads(INT64_MAX) == 3, "no start for much work");
  begun = 0, check(polytile_threads_oversubscribed(0) == 3, "not all that are asked for");
  limit = 12, check(polytile_threads_oversubscribed(0) == 12, "no more than processors");
}
