// Rows of tiles that a team works on at the same time, each some tiles behind the row before (codegen/src/rows.rs).
//
// Row g uses counters number g mod WINDOW: it begins when row g - WINDOW is finished, which leaves them so. Nothing is ever reset
// otherwise, so a thread that comes late finds that its rows are over.
#include "machine.h"

static inline struct polytile_row *counters(struct polytile_board *board, int64_t row) {
  return &board->rows[row & (POLYTILE_WINDOW - 1)];
}

// The state of a row that nobody has and that is not exhausted.
static inline int64_t unclaimed(int64_t row) { return 4 * (row / POLYTILE_WINDOW); }

static inline int64_t noted(int64_t tile) { return (int64_t)((uint64_t)tile + (UINT64_C(1) << 63)); }

// Whether a thread that finds this row would not wait at once.
static inline int may_go_on(struct polytile_board *board, int64_t row, int64_t state) {
  const uint64_t above = (uint64_t)load_relaxed(&counters(board, row - 1)->progress);
  const uint64_t own = (uint64_t)load_relaxed(&counters(board, row)->progress);
  return state == unclaimed(row) && above > own;
}

// Claims the first row of `base .. base + total` that may go on; -1 when all are finished. The first unfinished row waits for none,
// so whoever finds it may go on with it.
int64_t polytile_row(struct polytile_board *board, int64_t base, int64_t total) {
  const int64_t end = base + total;
  for (int64_t looks = 0;; looks = give_way(looks + 1)) {
    const int64_t low = load_acquire(&board->low);
    if (low >= end)
      return -1;
    const int64_t limit = min(end, low + POLYTILE_WINDOW);
    for (int64_t row = low; row < limit; row++) {
      int64_t *place = &counters(board, row)->state;
      const int64_t state = load_relaxed(place);
      if ((state & ~2) != unclaimed(row) || (row != low && !may_go_on(board, row, state)))
        continue;
      if (swap_acquire(place, state, state + 1))
        return row;
    }
  }
}

// The first tile of a row that is left.
int64_t polytile_row_next(struct polytile_board *board, int64_t row, int64_t first, int64_t step) {
  const int64_t progress = load_relaxed(&counters(board, row)->progress);
  return progress == 0 ? first : noted(progress) + step;
}

// 1 when the row before is finished up to a tile, 0 after a while.
int64_t polytile_row_may(struct polytile_board *board, int64_t row, int64_t tile) {
  const uint64_t wanted = (uint64_t)noted(tile);
  for (int64_t looks = 0; looks < POLYTILE_PATIENCE; looks++) {
    if ((uint64_t)load_acquire(&counters(board, row - 1)->progress) >= wanted || load_acquire(&board->low) >= row)
      return 1;
    POLYTILE_PAUSE();
  }
  return 0;
}

// A row is finished up to a tile.
POLYTILE_INLINE void polytile_row_note(struct polytile_board *board, int64_t row, int64_t tile) {
  store_release(&counters(board, row)->progress, noted(tile));
}

// Whether all rows before are finished, after a while at most.
static inline int is_first(struct polytile_board *board, int64_t row) {
  for (int64_t looks = 0; looks < POLYTILE_PATIENCE; looks++) {
    if (load_acquire(&board->low) >= row)
      return 1;
    POLYTILE_PAUSE();
  }
  return 0;
}

// A row without further tiles is finished when the one before is; after a while it is left, exhausted.
void polytile_row_end(struct polytile_board *board, int64_t row) {
  struct polytile_row *own = counters(board, row);
  if (!is_first(board, row)) {
    store_release(&own->state, unclaimed(row) + 2);
    return;
  }
  store_relaxed(&own->progress, 0);
  store_relaxed(&own->state, unclaimed(row + POLYTILE_WINDOW));
  store_release(&board->low, row + 1);
}

// Whoever comes may go on with a row.
void polytile_row_leave(struct polytile_board *board, int64_t row) {
  store_release(&counters(board, row)->state, unclaimed(row));
}
