// Sweeps: parallel loops whose pieces are claimed and finished by the threads of a team.
//
// All counters only grow. Every thread knows by itself in which sweep it is and how many pieces all sweeps up to this one have
// (`goal`), so nothing is ever reset, and a thread that comes late finds its sweep claimed and finished.
#include "machine.h"

// Bits of a claim that count pieces.
#define PIECE_BITS 16

// Pieces of a thread's share.
#define PIECES 8

// The same where iterations differ, and all take from one share, in the order of the iterations.
#define PIECES_IN_ORDER 256

// Into how many shares a range is cut for so many threads.
POLYTILE_INLINE int64_t polytile_shares(int64_t threads) { return min(threads, POLYTILE_SHARES); }

static inline int64_t pieces(int64_t trips, int64_t shares, int64_t several, int64_t most) {
  return several ? max(min(quotient_up(trips, shares), most), 1) : 1;
}

// How many pieces a share has; `several`: threads take part.
POLYTILE_INLINE int64_t polytile_pieces(int64_t trips, int64_t shares, int64_t several) {
  return pieces(trips, shares, several, PIECES);
}

POLYTILE_INLINE int64_t polytile_pieces_in_order(int64_t trips, int64_t several) {
  return pieces(trips, 1, several, PIECES_IN_ORDER);
}

// How many iterations a range has.
POLYTILE_INLINE int64_t polytile_trips(int64_t first, int64_t last, int64_t step) {
  return (uint64_t)max(last - first + step, 0) / (uint64_t)step;
}

// Where the `at`-th of `total` equal parts of a range begins.
POLYTILE_INLINE int64_t polytile_edge(int64_t first, int64_t step, int64_t trips, int64_t at, int64_t total) {
  return first + (int64_t)((uint64_t)(trips * at) / (uint64_t)total) * step;
}

// A piece of 0 .. shares * pieces that nobody has, or -1: first of the thread's own share, then of others. Claims order nothing:
// whoever comes here has waited for the sweep before.
int64_t polytile_claim(struct polytile_board *board, int64_t own, int64_t sweep, int64_t shares, int64_t pieces) {
  const int64_t begin = (int64_t)((uint64_t)sweep << PIECE_BITS), end = begin + pieces;
  int64_t share = (int64_t)((uint64_t)own % (uint64_t)shares);
  for (int64_t tried = 0; tried < shares; tried++) {
    int64_t *next = &board->shares[share].next;
    int64_t seen = load_relaxed(next);
    for (int64_t have; have = max(seen, begin), have < end;)
      if (swap_relaxed(next, &seen, have + 1))
        return share * pieces + (have - begin);
    share = share + 1 == shares ? 0 : share + 1;
  }
  return -1;
}

// Adds what this thread has finished and waits until `goal` pieces are. Results become visible through `done`.
void polytile_finish(struct polytile_board *board, int64_t finished, int64_t goal, int64_t own) {
  if (finished)
    add_release(&board->done, finished);
  if (load_acquire(&board->done) >= goal)
    return;
  const uint64_t begun = POLYTILE_CLOCK();
  for (int64_t looks = 0; load_acquire(&board->done) < goal;)
    looks = give_way(looks + 1);
  if (own == 0)
    board->waited += (int64_t)(POLYTILE_CLOCK() - begun);
}
