// Rows that lie anywhere, as matrices.
//
// Rows behind pointers that do not lie at one distance are copied to a block of memory where they do, and what the program changes of
// them is written back. That pays where the program does much with each element, as products and factorizations do.
//
//   rows:  T[0] -> ....     copies:  base + 0 * pitch ....
//          T[1] -> ..                base + 1 * pitch ....
//
// The copies are apart from everything, the rows need not be. So it is done only if no row that is written shares a byte with another
// row, or with memory that must be apart from the rows, and no row with memory that is written: all of them are sorted by address.
//
// Only bytes that the program accesses are read, and only those written back that it has changed: another thread may use the others.
#include "machine.h"

// A range of addresses.
struct bytes {
  uint64_t first, end;
  uint64_t kind;
};

extern void *malloc(size_t);
extern void free(void *);

enum { ROW = 1, WRITTEN = 2 };

// Rows begin with a cache line.
#define LINE 64
// The work for each byte, in units of transform/src/work.rs: 1 ns. A byte takes about .4 ns, with its share of new pages.
#define WORTH 20

static inline int is_before(const struct bytes *a, const struct bytes *b) { return a->first < b->first; }

// Moves a range down to its place in a heap with the greatest on top.
static void sift(struct bytes *heap, int64_t at, int64_t count) {
  const struct bytes moved = heap[at];
  for (int64_t child; (child = 2 * at + 1) < count; at = child) {
    child += child + 1 < count && is_before(&heap[child], &heap[child + 1]);
    if (!is_before(&moved, &heap[child]))
      break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

static void sort(struct bytes *all, int64_t count) {
  for (int64_t i = count / 2; i-- > 0;)
    sift(all, i, count);
  for (int64_t left = count; --left > 0;) {
    const struct bytes greatest = all[0];
    all[0] = all[left];
    all[left] = greatest;
    sift(all, 0, left);
  }
}

// Whether no two share a byte of which one is written and one is in a row. Sorts them.
static int are_apart(struct bytes *all, int64_t count) {
  sort(all, count);
  uint64_t ends[4] = {0}; // the furthest end of all before, by kind
  for (int64_t i = 0; i < count; i++) {
    const uint64_t kind = all[i].kind;
    for (uint64_t other = 0; other < 4; other++)
      if (((kind | other) & WRITTEN) && ((kind | other) & ROW) && all[i].first < ends[other])
        return 0;
    if (ends[kind] < all[i].end)
      ends[kind] = all[i].end;
  }
  return 1;
}

static inline int64_t first_of(const struct polytile_matrix *m, int64_t row) { return m->first[0] + row * m->first[1]; }

static inline int64_t bytes_of(const struct polytile_matrix *m, int64_t row) { return m->bytes[0] + row * m->bytes[1]; }

// What is accessed of a row.
static inline char *row_of(const struct polytile_matrix *m, int64_t row) {
  char *start;
  __builtin_memcpy(&start, m->table + row * m->step, sizeof start);
  return (char *)((uintptr_t)start + (uintptr_t)first_of(m, row));
}

static inline char *copy_of(const struct polytile_matrix *m, int64_t row) {
  return m->copy + row * m->pitch + first_of(m, row);
}

// Whether what is accessed of a row fits into a copy. Where that holds for the first and the last one it does for all.
static int fits(const struct polytile_matrix *m, int64_t row) {
  int64_t first, bytes, end;
  return !__builtin_mul_overflow(row, m->first[1], &first) && !__builtin_add_overflow(first, m->first[0], &first) && first >= 0 &&
         !__builtin_mul_overflow(row, m->bytes[1], &bytes) && !__builtin_add_overflow(bytes, m->bytes[0], &bytes) && bytes > 0 &&
         !__builtin_add_overflow(first, bytes, &end) && end <= m->pitch;
}

// How many bytes the copies take; 0: too many, or none.
static inline int64_t measured(const struct polytile_matrix *m) {
  int64_t all;
  if (m->count <= 0 || !fits(m, 0) || !fits(m, m->count - 1))
    return 0;
  return __builtin_mul_overflow(m->pitch, m->count, &all) || all > INT64_MAX / WORTH ? 0 : all;
}

// Copies all rows if that is worth so much work, and allowed. The block to give to `scatter`, or 0.
int64_t polytile_gather(struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others, int64_t several,
                        int64_t work) {
  int64_t all = 0, rows = 0;
  for (int64_t m = 0; m < count; m++) {
    const int64_t bytes = measured(&matrices[m]);
    if (!bytes || __builtin_add_overflow(all, bytes, &all) || all > work / WORTH)
      return 0;
    rows += matrices[m].count;
  }
  // Ranges are there until they are compared; the rows take their place.
  const int64_t ranges = (rows + several) * (int64_t)sizeof(struct bytes);
  char *block = malloc((size_t)(max(all, ranges) + LINE));
  if (!block)
    return 0;
  char *first = (char *)(((uintptr_t)block + LINE - 1) & -(uintptr_t)LINE);
  struct bytes *range = (struct bytes *)first;
  int fine = 1;
  for (int64_t m = 0; m < count; m++)
    for (int64_t r = 0; r < matrices[m].count; r++, range++) {
      range->first = (uint64_t)row_of(&matrices[m], r);
      fine &= !__builtin_add_overflow(range->first, (uint64_t)bytes_of(&matrices[m], r), &range->end);
      range->kind = ROW | (matrices[m].written ? WRITTEN : 0);
    }
  for (int64_t i = 0; i < several; i++)
    if (others[i].first < others[i].end)
      *range++ = (struct bytes){others[i].first, others[i].end, WRITTEN};
  if (!fine || !are_apart((struct bytes *)first, range - (struct bytes *)first)) {
    free(block);
    return 0;
  }
  for (int64_t m = 0; m < count; m++) {
    matrices[m].copy = first;
    for (int64_t r = 0; r < matrices[m].count; r++)
      __builtin_memcpy(copy_of(&matrices[m], r), row_of(&matrices[m], r), (size_t)bytes_of(&matrices[m], r));
    first += matrices[m].count * matrices[m].pitch;
  }
  return (int64_t)block;
}

#define WRITE_BACK(type)                                                                                                       \
  for (int64_t i = 0; i < bytes; i += (int64_t)sizeof(type)) {                                                                 \
    type now, before;                                                                                                          \
    __builtin_memcpy(&now, from + i, sizeof now);                                                                              \
    __builtin_memcpy(&before, to + i, sizeof before);                                                                          \
    if (now != before)                                                                                                         \
      __builtin_memcpy(to + i, &now, sizeof now);                                                                              \
  }

static inline void write_back(char *to, const char *from, int64_t bytes, int64_t element) {
  if (element == 8)
    WRITE_BACK(uint64_t)
  else if (element == 4)
    WRITE_BACK(uint32_t)
  else
    WRITE_BACK(char)
}

// Writes back what is changed in the copies, if there are any, and frees them.
void polytile_scatter(const struct polytile_matrix *matrices, int64_t count, int64_t block) {
  for (int64_t m = 0; block && m < count; m++)
    for (int64_t r = 0; matrices[m].written && r < matrices[m].count; r++)
      write_back(row_of(&matrices[m], r), copy_of(&matrices[m], r), bytes_of(&matrices[m], r), matrices[m].element);
  free((void *)block);
}
