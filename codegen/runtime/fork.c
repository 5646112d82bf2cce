// Forks, and forks that are left out for a while because the last ones were in vain.
//
// The thread that forks waits at the end of a region until all others have come, also those that come too late to do anything.
// Where another program has a core, that takes milliseconds, and a loop of some hundred microseconds takes several times as long as
// on one thread. So each place that forks notes what came of it:
//
//   before:  left > 0 ?  left -= 1, one thread does it all
//   after:   lost   = time since this thread had nothing left to do, and while it waited for pieces of others
//            worked = time - lost                              one thread alone takes at most worked * threads
//            time > worked * threads ?  backoff = 2 * backoff + 16 (at most 1024), left = backoff
//                                    :  backoff -= backoff / 8, up
//
// A neighbour that stays costs one late fork in a thousand runs; when it has gone, the next fork finds out. Which threads do the
// work changes no result. The clock is the processor's counter; where there is none, nothing is left out.
//
// Where what runs may set errno, each thread begins with none, and the one that forked gets what any of them has in the end: which of them ran
// into the error is not the program's business. Without an error errno stays what it was, whatever the OpenMP runtime does to it.
#include "turns.h"

// The C library's, where it has one of this name.
extern int *__errno_location(void) __attribute__((weak));

// The part of the back-off that a fork in time takes away.
#define EASED 8

// The position that the OpenMP runtime's tools show.
struct ident {
  int32_t reserved;
  int32_t flags; // KMP_IDENT_KMPC: the caller is compiled code
  int32_t reserved_too;
  int32_t size;
  const char *source;
};
static const char source[] __asm__("polytile.source") = ";unknown;unknown;0;0;;";
static const struct ident place __asm__("polytile.ident") = {0, 2, 0, sizeof source - 1, source};

extern void __kmpc_fork_call(const void *, int32_t, void *, ...) __attribute__((weak));
extern int32_t __kmpc_global_thread_num(const void *) __attribute__((weak));
extern void __kmpc_push_num_threads(const void *, int32_t, int32_t) __attribute__((weak));

// Notes what came of a fork: of so many threads, begun and, for this thread, over at these times.
static inline void note(struct polytile_site *site, int64_t threads, uint64_t begun, uint64_t ended, uint64_t waited) {
  const uint64_t all = POLYTILE_CLOCK() - begun, alone = (ended - begun - waited) * (uint64_t)threads;
  const int64_t backoff = load_relaxed(&site->backoff);
  if ((int64_t)all > (int64_t)alone)
    was_in_vain(site);
  else
    store_relaxed(&site->backoff, backoff - (backoff + EASED - 1) / EASED);
}

// Runs a task on so many threads, with the first `bytes` of its board cleared; 0 if this run does without.
int64_t polytile_fork(struct polytile_site *site, int64_t threads, polytile_task *task, struct polytile_context *context,
                      struct polytile_board *board, int64_t bytes) {
  if (!is_turn(site))
    return 0;
  __builtin_memset(board, 0, (size_t)bytes);
  __kmpc_push_num_threads(&place, __kmpc_global_thread_num(&place), (int32_t)threads);
  const uint64_t begun = POLYTILE_CLOCK();
  __kmpc_fork_call(&place, 1, (void *)task, context);
  note(site, threads, begun, (uint64_t)context->ended, (uint64_t)board->waited);
  return 1;
}

// A thread has nothing left to do. From here on the one that forked waits for threads, not for work.
void polytile_over(struct polytile_context *context, int64_t own) {
  if (own == 0)
    context->ended = (int64_t)POLYTILE_CLOCK();
}

// The same where what runs may set errno.
int64_t polytile_fork_with_errno(struct polytile_site *site, int64_t threads, polytile_task *task, struct polytile_context *context,
                                 struct polytile_board *board, int64_t bytes) {
  const int before = __errno_location ? *__errno_location() : 0;
  context->error = 0;
  const int64_t forked = polytile_fork(site, threads, task, context, board, bytes);
  if (__errno_location)
    *__errno_location() = forked && context->error ? (int)context->error : before;
  return forked;
}

// A thread begins.
void polytile_errno_begin(void) {
  if (__errno_location)
    *__errno_location() = 0;
}

// A thread has nothing left to do.
void polytile_errno_end(struct polytile_context *context) {
  if (__errno_location && *__errno_location())
    store_relaxed(&context->error, *__errno_location());
}
