// How many threads a region gets: one, without a question to the OpenMP runtime, until the work of a module's regions is worth the
// runtime's start, unless the program has started it already; never more where the environment says one; else as many as threads, processors and the limit allow; all that are asked for where more than that are wanted. The one that starts the runtime says
// how long its threads wait, unless the environment does.
//
// RUN: gcc -std=gnu11 -O1 -Wall -Wextra %s -o %t -lpthread && %t
#include "../../codegen/runtime/threads.c"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int asked, most = 16, limit = 12, processors = 4, inside, own = 8, known, patience;
static const char *number, *total, *block, *policy;
int omp_get_max_threads(void) { return asked++, most; }
int omp_in_parallel(void) { return asked++, inside; }
int omp_get_thread_limit(void) { return asked++, limit; }
int omp_get_num_procs(void) { return asked++, processors; }
int omp_get_num_threads(void) { return 1; }
int32_t __kmpc_global_num_threads(const void *place) { return (void)place, known; }
void __kmpc_fork_call(const void *place, int32_t count, void *task, ...) { (void)place, (void)count, (void)task; }
void kmp_set_blocktime(int milliseconds) { patience = milliseconds; }
char *getenv(const char *name) {
  const char *const names[] = {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "KMP_BLOCKTIME", "OMP_WAIT_POLICY"};
  const char *const values[] = {number, total, block, policy};
  for (int i = 0; i < 4; i++)
    if (!strcmp(name, names[i]))
      return (char *)values[i];
  return 0;
}
int sched_getaffinity(int process, uint64_t bytes, void *mask) {
  (void)process, memset(mask, 0, bytes);
  for (int i = 0; i < own; i++)
    ((uint64_t *)mask)[i] = 1u << i;
  return 0;
}

static void check(int right, const char *what) {
  if (!right)
    fprintf(stderr, "%s\n", what), exit(1);
}

// A program that has begun nothing yet, with these settings.
static void restart(const char *threads, const char *threads_in_all, int processors_to_use) {
  begun = 0, alone = UNKNOWN, asked = 0, patience = 200, block = policy = 0;
  number = threads, total = threads_in_all, own = processors_to_use;
}

#define PACE 30 // units in a microsecond

int main(void) {
  const int64_t tenth = WORTH_A_START / 10 * PACE;
  for (int i = 1; i < 10; i++)
    check(polytile_threads(tenth, PACE) == 1, "a start for little work");
  check(polytile_threads(-1, PACE) == 1 && polytile_threads(0, PACE) == 1 && !asked, "the runtime was asked");
  check(polytile_threads(tenth, PACE) == 4, "no start after enough work");
  check(polytile_threads(0, PACE) == 4 && polytile_threads(INT64_MIN, PACE) == 4, "the start is forgotten");
  inside = 1, check(polytile_threads(tenth, PACE) == 1, "threads inside of threads");
  inside = 0, limit = 3, check(polytile_threads(tenth, PACE) == 3, "more than the limit");

  restart(0, 0, 8), check(polytile_threads(INT64_MAX, PACE) == 3, "no start for much work");
  restart(0, 0, 8), check(polytile_threads(9 * tenth, 2 * PACE) == 1, "a start for what goes fast");
  restart(" 1", 0, 8), check(polytile_threads(INT64_MAX, PACE) == 1 && !asked, "a start for OMP_NUM_THREADS=1");
  restart("1,4", 0, 8), check(polytile_threads(INT64_MAX, PACE) == 1 && !asked, "a start for OMP_NUM_THREADS=1,4");
  restart("16", "1", 8), check(polytile_threads(INT64_MAX, PACE) == 1 && !asked, "a start for OMP_THREAD_LIMIT=1");
  restart("16", "", 1), check(polytile_threads(INT64_MAX, PACE) == 1 && !asked, "a start for one processor");
  restart("16", "12", 2), check(polytile_threads(INT64_MAX, PACE) == 3, "no start for two processors");

  restart(0, 0, 8), polytile_threads(1, PACE), check(patience == 200, "patience of a runtime that is not there");
  restart(0, 0, 8), polytile_threads(INT64_MAX, PACE), check(patience == PATIENCE, "the runtime's own patience");
  restart(0, 0, 8), block = "infinite", polytile_threads(INT64_MAX, PACE), check(patience == 200, "not what KMP_BLOCKTIME says");
  restart(0, 0, 8), policy = "active", polytile_threads(INT64_MAX, PACE), check(patience == 200, "not what OMP_WAIT_POLICY says");

  restart(0, 0, 8), known = 1, polytile_threads(0, PACE), check(patience == 200, "another patience for what the program has started");
  check(polytile_threads(0, PACE) == 3, "the program has started the runtime");
  restart("1", 0, 8), check(polytile_threads(0, PACE) == 3, "the program has another number than the environment");
  known = 0;

  restart(0, 0, 8), check(polytile_threads_oversubscribed(0, PACE) == 3, "not all that are asked for");
  limit = 12, check(polytile_threads_oversubscribed(0, PACE) == 12, "no more than processors");
}
