// Tile sizes for a number of threads (codegen/src/sizes.rs says what for).
#include "machine.h"

// The largest extent and the most threads that count.
#define MAX_EXTENT (INT64_C(1) << 30)
#define MAX_THREADS 4096
// A tile does not become smaller than this part of its default: what its iterations share is loaded once per tile.
#define LEAST_SHARE 4
// Nor smaller than that part of so many iterations: a longer one has enough to share.
#define LONG 2048
// Tiles of a row for each thread, where rows follow each other: a thread that is late by a tile holds up nobody.
#define TILES_OF_A_ROW 2

static inline int64_t between(int64_t x, int64_t low, int64_t high) { return max(min(x, high), low); }

static inline int64_t extent_of(int64_t lower, int64_t upper) {
  return between((int64_t)((uint64_t)upper - (uint64_t)lower), 0, MAX_EXTENT) + 1;
}

// Of so many tiles, all of the same size.
static inline int64_t equal_tiles(int64_t extent, int64_t tiles, int64_t most, int64_t multiple) {
  const int64_t least = max(min(most, LONG) / LEAST_SHARE / multiple, 1) * multiple;
  return between(quotient_up(quotient_up(extent, tiles), multiple) * multiple, least, most);
}

// Iterations of the thread that gets most, with tiles of a size dealt one by one; the last tile may be shorter.
static inline int64_t longest_share(int64_t extent, int64_t threads, int64_t size) {
  const int64_t full = (int64_t)((uint64_t)(extent - 1) / (uint64_t)size), last = extent - full * size;
  const int64_t before = (int64_t)((uint64_t)full / (uint64_t)threads) * size;
  return before + ((uint64_t)full % (uint64_t)threads == 0 ? last : size);
}

// The size of tiles dealt to threads: equal ones, where the thread that gets most gets fewer iterations than with the default.
POLYTILE_INLINE int64_t polytile_size(int64_t lower, int64_t upper, int64_t threads, int64_t most, int64_t multiple) {
  const int64_t extent = extent_of(lower, upper), count = between(threads, 1, MAX_THREADS);
  const int64_t rounds = quotient_up(extent, count * most);
  const int64_t equal = equal_tiles(extent, rounds * count, most, multiple);
  return longest_share(extent, count, equal) < longest_share(extent, count, most) ? equal : most;
}

// The size of the tiles of a row, where rows follow each other.
POLYTILE_INLINE int64_t polytile_size_of_row(int64_t lower, int64_t upper, int64_t threads, int64_t most,
                                             int64_t multiple) {
  const int64_t tiles = between(threads, 1, MAX_THREADS) * TILES_OF_A_ROW;
  return equal_tiles(extent_of(lower, upper), tiles, most, multiple);
}
