// How many threads a team gets.
//
// More threads than processors only take turns (a thousand on two took 46 seconds for what takes 0.05). A team that the limit of
// threads does not allow would be smaller all the same, after a warning of the runtime on the user's terminal.
//
// Where a thread cannot be created (a limit on processes or memory), the runtime ends the program, and a program that does not
// know that it has threads must not end so. Nobody can ask whether one can be created but by creating it. So the first fork of a
// module tries as many as it wants, each created by the one before, all at the same time (30 us for one thread, once).
#include "machine.h"

// A program without an OpenMP runtime links, and has one thread.
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_in_parallel(void) __attribute__((weak));
extern int omp_get_thread_limit(void) __attribute__((weak));
extern int omp_get_num_procs(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern void __kmpc_fork_call(const void *, int32_t, void *, ...) __attribute__((weak));

// A thread has 64 bits.
extern int pthread_create(int64_t *, const void *, void *(*)(void *), void *) __attribute__((weak));
extern int pthread_join(int64_t, int64_t *) __attribute__((weak));

// Whether threads can be created, as far as a module has found out.
enum { UNKNOWN, YES, NO };
static int64_t able __asm__("polytile.able");

// Null if so many threads more can exist at the same time.
POLYTILE_COLD void *polytile_probe(void *more) {
  if (!more)
    return 0;
  int64_t thread, told = 1;
  void *less = (void *)((uintptr_t)more - 1);
  const int64_t failed = pthread_create(&thread, 0, polytile_probe, less);
  if (failed)
    return (void *)failed;
  pthread_join(thread, &told);
  return (void *)told;
}

// Whether so many threads can exist: tried at the first time.
static int64_t try(int64_t count) POLYTILE("try");
POLYTILE_COLD static int64_t try(int64_t count) {
  const int64_t found = !pthread_create || !pthread_join || !polytile_probe((void *)(count - 1)) ? YES : NO;
  store_relaxed(&able, found);
  return found;
}

static POLYTILE_INLINE int can_be(int64_t count) {
  const int64_t known = load_relaxed(&able);
  return (known != UNKNOWN ? known : try(count)) == YES;
}

// The time, in microseconds, that a module's regions have begun without threads. Starting the runtime takes a program one to two
// milliseconds, more than all its loops may take, and two threads save half of what one takes. Like one who rents until the rent
// would have bought, the module asks for threads when what it has run without them, and this region, would have paid the start.
#define WORTH_A_START 4000
static int64_t begun __asm__("polytile.begun");

// How many threads the runtime knows; 0 before its start, without starting it.
extern int32_t __kmpc_global_num_threads(const void *) __attribute__((weak));
static POLYTILE_INLINE int has_started(void) { return __kmpc_global_num_threads && __kmpc_global_num_threads(0) > 0; }

static POLYTILE_INLINE int is_worth_a_start(int64_t work, int64_t pace) {
  const int64_t before = load_relaxed(&begun);
  if (before >= WORTH_A_START)
    return 1;
  const int64_t all = before + min(max(work, 0) / max(pace, 1), WORTH_A_START);
  store_relaxed(&begun, all);
  return all >= WORTH_A_START;
}

extern char *getenv(const char *) __attribute__((weak));
extern int sched_getaffinity(int, uint64_t, void *) __attribute__((weak));

// Whether a variable of the environment says 1, or a list that begins so.
static int says_one(const char *name) POLYTILE("says_one");
POLYTILE_COLD static int says_one(const char *name) {
  const char *text = getenv ? getenv(name) : 0;
  while (text && *text == ' ')
    text++;
  return text && text[0] == '1' && !(text[1] >= '0' && text[1] <= '9');
}

// Whether the process may use one processor only, as far as can be known.
static POLYTILE_INLINE int has_one_processor(void) {
  uint64_t mask[16] = {0};
  if (!sched_getaffinity || sched_getaffinity(0, sizeof mask, mask))
    return 0;
  int count = 0;
  for (int i = 0; i < 16; i++)
    count += __builtin_popcountll(mask[i]);
  return count == 1;
}

// Whether the user allows one thread only. The runtime knows, too, but only once it has been started in vain.
static int64_t alone __asm__("polytile.alone");
static int64_t look(void) POLYTILE("look");
POLYTILE_COLD static int64_t look(void) {
  const int64_t found = says_one("OMP_NUM_THREADS") || says_one("OMP_THREAD_LIMIT") || has_one_processor() ? YES : NO;
  store_relaxed(&alone, found);
  return found;
}

static POLYTILE_INLINE int is_alone(void) {
  const int64_t known = load_relaxed(&alone);
  return (known != UNKNOWN ? known : look()) == YES;
}

// How many milliseconds a thread without work looks for some before it sleeps. The runtime's own 200 take a processor from whatever
// else the machine does, and where a program writes to pages that it has only read, each write interrupts a thread that looks (.65 of
// the time on one thread). To wake one takes up to 100 us: with 5 ms, a fiftieth of what a program does between two regions at most.
#define PATIENCE 5
extern void kmp_set_blocktime(int) __attribute__((weak));

// For the thread that starts the runtime, where the user has not said how threads wait.
static void set_patience(void) POLYTILE("set_patience");
POLYTILE_COLD static void set_patience(void) {
  if (kmp_set_blocktime && getenv && !getenv("KMP_BLOCKTIME") && !getenv("OMP_WAIT_POLICY"))
    kmp_set_blocktime(PATIENCE);
}

static POLYTILE_INLINE int64_t threads(int oversubscribed) {
  if (!__kmpc_fork_call || !omp_get_max_threads || !omp_in_parallel || !omp_get_thread_limit || !omp_get_num_procs)
    return 1;
  const int is_first = !has_started();
  int64_t count = omp_get_max_threads();
  if (count <= 1 || omp_in_parallel())
    return 1;
  count = min(count, omp_get_thread_limit());
  if (!oversubscribed)
    count = min(count, omp_get_num_procs());
  if (count <= 1 || !can_be(count))
    return 1;
  if (is_first)
    set_patience();
  return count;
}

// For a region of so much work, of which one thread does `pace` units in a microsecond: no more than processors and limits allow; one
// inside of a parallel region, and where the runtime has not started and is not worth its start yet.
int64_t polytile_threads(int64_t work, int64_t pace) {
  return has_started() || (is_worth_a_start(work, pace) && !is_alone()) ? threads(0) : 1;
}

// As many as the user asks for, from the first region on.
int64_t polytile_threads_oversubscribed(int64_t work, int64_t pace) {
  (void)work, (void)pace;
  return threads(1);
}

// How many threads are in the team of the thread that asks.
POLYTILE_INLINE int64_t polytile_team_size(void) { return omp_get_num_threads(); }
