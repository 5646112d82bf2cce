// The choice between the original and the new version of a region, measured where the model of time is not sure.
//
//   begin(record, work, preferred):  decided?  that one
//                                    else the preferred one, and now and then the other; with its start in the ticket
//   end(record, work, ticket):       notes how long it took for its work; 3 runs of each?  the better one stays
//
// Each class of work (its binary logarithm) decides by itself. The other version is tried when what it may lose is a small part of
// the time that the region has taken so far: at first it is taken to need twice as long as the preferred one. Of all runs of a
// version the fastest counts. Several threads may come at once: a note that is lost is a run more. Inside of a parallel region
// nothing is measured, and neither where there is no clock. Both versions have the same results, so nothing else depends on it.
#include "machine.h"

extern int omp_in_parallel(void) __attribute__((weak));

enum { OPEN, ORIGINAL, NEW };

// Runs of each version before one stays.
#define RUNS 3
// The part of the time so far that tries may lose: a sixteenth.
#define LOSS_SHIFT 4
// The new version stays if it takes at most 15 / 16 of the original's time.
#define MARGIN_SHIFT 4
// Bits behind the point of a time per work.
#define RATE_BITS 12
// Work of less than 2^LEAST is one class.
#define LEAST 12
// No run takes longer.
#define LONGEST (INT64_C(1) << 48)

// A ticket: the start in 58 bits, the class, whether the run is measured, whether it is the new version's.
#define IS_NEW 1
#define IS_MEASURED 2
#define CLASS_SHIFT 2
#define START_SHIFT 6
_Static_assert(POLYTILE_CLASSES == 1 << (START_SHIFT - CLASS_SHIFT), "a class fits a ticket");

static inline int class_of(int64_t work) {
  const int log = 63 - __builtin_clzll((uint64_t)max(work, 1));
  return (int)max(min(log - LEAST, POLYTILE_CLASSES - 1), 0);
}

static inline int64_t rate(int64_t time, int64_t work) { return max((time << RATE_BITS) / max(work, 1), 1); }

// What a rate comes to for some work, at most LONGEST.
static inline int64_t time_of(int64_t rate, int64_t work) {
  int64_t time;
  if (__builtin_mul_overflow(rate, work, &time))
    return LONGEST;
  return min(time >> RATE_BITS, LONGEST);
}

// What a run of the other version may lose.
static inline int64_t risk(const struct polytile_trial *trial, int preferred, int64_t work) {
  const int64_t own = load_relaxed(&trial->best[preferred]), other = load_relaxed(&trial->best[!preferred]);
  return other ? time_of(max(other - own, 0), work) : time_of(own, work);
}

// Which version is to run while nothing is decided; 1 is the new one.
static inline int next_version(const struct polytile_trial *trial, int preferred, int64_t work) {
  if (load_relaxed(&trial->runs[preferred]) < RUNS)
    return preferred;
  const int64_t lost = load_relaxed(&trial->lost) + risk(trial, preferred, work);
  return lost <= load_relaxed(&trial->spent) >> LOSS_SHIFT ? !preferred : preferred;
}

// The ticket of a run: its last bit says whether the new version runs. `preferred`: what the model of time prefers.
int64_t polytile_select_begin(struct polytile_choice *choice, int64_t work, int64_t preferred) {
  const int class = class_of(work);
  const struct polytile_trial *trial = &choice->trials[class];
  const int64_t decided = load_relaxed(&trial->decided);
  if (decided != OPEN)
    return decided == NEW ? IS_NEW : 0;
  if (omp_in_parallel && omp_in_parallel())
    return preferred;
  const int which = next_version(trial, preferred != 0, work);
  const uint64_t now = POLYTILE_CLOCK();
  if (now == 0)
    return preferred;
  return (int64_t)(now << START_SHIFT) | class << CLASS_SHIFT | IS_MEASURED | which;
}

// Adds to a counter; of two threads at once, one may be lost.
static inline void add(int64_t *place, int64_t value) { store_relaxed(place, load_relaxed(place) + value); }

// Notes what a run took.
POLYTILE_COLD void polytile_select_note(struct polytile_choice *choice, int64_t work, int64_t preferred, int64_t ticket) {
  struct polytile_trial *trial = &choice->trials[ticket >> CLASS_SHIFT & (POLYTILE_CLASSES - 1)];
  const uint64_t start = (uint64_t)ticket >> START_SHIFT, mask = UINT64_MAX >> START_SHIFT;
  const int64_t took = min((int64_t)((POLYTILE_CLOCK() - start) & mask), LONGEST), own = rate(took, work);
  const int which = (int)(ticket & IS_NEW);
  if (which != (preferred != 0))
    add(&trial->lost, max(took - time_of(load_relaxed(&trial->best[!which]), work), 0));
  const int64_t best = load_relaxed(&trial->best[which]);
  if (best == 0 || own < best)
    store_relaxed(&trial->best[which], own);
  add(&trial->spent, took);
  add(&trial->runs[which], 1);
  if (load_relaxed(&trial->runs[0]) < RUNS || load_relaxed(&trial->runs[1]) < RUNS)
    return;
  const int64_t original = load_relaxed(&trial->best[0]), most = original - (original >> MARGIN_SHIFT);
  store_relaxed(&trial->decided, load_relaxed(&trial->best[1]) <= most ? NEW : ORIGINAL);
}

// Behind both versions; a run without a ticket is not measured.
POLYTILE_INLINE void polytile_select_end(struct polytile_choice *choice, int64_t work, int64_t preferred, int64_t ticket) {
  if (ticket & IS_MEASURED)
    polytile_select_note(choice, work, preferred, ticket);
}
