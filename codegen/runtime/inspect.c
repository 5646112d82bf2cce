// Whether a region reads what it writes, asked by all threads together: each has a part of the iterations.
//
// Only threads make up for the time that it takes. So where this fork is left out there is no answer; and where the answer was that it
// does, nobody asks for a while.
#include "turns.h"

enum { APART, CLASH, NOT_ASKED };

// What the threads are given.
struct inspection {
  struct polytile_context common;
  polytile_inspector *inspector;
  const uint64_t *inputs;
  const struct polytile_range *written;
  int64_t clash;
};

static void inspect_part(int32_t *, int32_t *, struct polytile_context *) POLYTILE("inspect.part");
static void inspect_part(int32_t *thread, int32_t *own, struct polytile_context *common) {
  (void)thread;
  struct inspection *all = (struct inspection *)common;
  const uint64_t parts = (uint64_t)polytile_team_size();
  if (all->inspector(all->inputs, all->written, (uint64_t)*own, parts))
    store_relaxed(&all->clash, CLASH);
  polytile_over(common, *own);
}

// The inspector's answer for all iterations, with so many threads. The first site is that of the fork, the second that of the answers.
int64_t polytile_inspect(struct polytile_site sites[2], int64_t threads, polytile_inspector *inspector, const uint64_t *inputs,
                         const struct polytile_range *written) {
  struct inspection all = {{0, 0, 0}, inspector, inputs, written, APART};
  if (!is_turn(&sites[1]))
    return CLASH;
  // Nothing is claimed.
  _Alignas(struct polytile_board) char board[offsetof(struct polytile_board, shares)];
  if (!polytile_fork(&sites[0], threads, inspect_part, &all.common, (struct polytile_board *)board, sizeof board))
    return NOT_ASKED;
  const int64_t clash = load_relaxed(&all.clash);
  if (clash != APART)
    was_in_vain(&sites[1]);
  else
    store_relaxed(&sites[1].backoff, 0);
  return clash;
}
