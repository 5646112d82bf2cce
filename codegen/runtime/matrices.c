// Rows that lie anywhere: whether they are apart.
//
// A new version that finds each row behind pointers by its pointer runs if no row that is written shares a byte with another row, or
// with memory that must be apart from the rows, and no row with memory that is written: all of them are sorted by address.
#include "machine.h"

// A range of addresses.
struct bytes {
  uint64_t first, end;
  uint64_t kind;
};

extern void *malloc(size_t);
extern void free(void *);

enum { ROW = 1, WRITTEN = 2 };

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

// Where what is accessed of a row begins.
static inline uint64_t row_of(const struct polytile_matrix *m, int64_t row) {
  uint64_t start;
  __builtin_memcpy(&start, m->table + row * m->step, sizeof start);
  return start + (uint64_t)first_of(m, row);
}

// Whether what is accessed of a row has bytes, and lies in what is taken for a row. Where that holds for the first and the last one it does
// for all.
static int fits(const struct polytile_matrix *m, int64_t row) {
  int64_t first, bytes, end;
  return !__builtin_mul_overflow(row, m->first[1], &first) && !__builtin_add_overflow(first, m->first[0], &first) && first >= 0 &&
         !__builtin_mul_overflow(row, m->bytes[1], &bytes) && !__builtin_add_overflow(bytes, m->bytes[0], &bytes) && bytes > 0 &&
         !__builtin_add_overflow(first, bytes, &end) && end <= m->pitch;
}

// Adds the ranges of a matrix's rows to a list: its new end, or nothing if one of them leaves memory. `merge`: of rows that ascend with less
// than another one between two of them the list gets one range, with all between.
static struct bytes *add_rows(const struct polytile_matrix *m, int merge, struct bytes *list) {
  struct bytes *run = 0;
  for (int64_t r = 0; r < m->count; r++) {
    struct bytes row = {row_of(m, r), 0, ROW | (m->written ? WRITTEN : 0)};
    if (__builtin_add_overflow(row.first, (uint64_t)bytes_of(m, r), &row.end))
      return 0;
    if (merge && run && row.first >= run->end && row.first - run->end <= (uint64_t)m->pitch)
      run->end = row.end;
    else
      *(run = list++) = row;
  }
  return list;
}

static int ranges_are_apart(const struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others,
                            int64_t several, int merge, struct bytes *list) {
  struct bytes *end = list;
  for (int64_t m = 0; end && m < count; m++)
    end = add_rows(&matrices[m], merge, end);
  for (int64_t i = 0; end && i < several; i++)
    if (others[i].first < others[i].end)
      *end++ = (struct bytes){others[i].first, others[i].end, WRITTEN};
  return end && are_apart(list, end - list);
}

// Whether all rows are apart from each other and from the others. Few ranges are sorted at once, and most tables have few: only where
// something lies between rows they are taken one by one.
int64_t polytile_rows_apart(const struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others,
                            int64_t several) {
  int64_t ranges = several;
  for (int64_t m = 0; m < count; m++) {
    const struct polytile_matrix *matrix = &matrices[m];
    if (matrix->count <= 0 || !fits(matrix, 0) || !fits(matrix, matrix->count - 1) ||
        __builtin_add_overflow(ranges, matrix->count, &ranges))
      return 0;
  }
  if (ranges > INT64_MAX / (int64_t)sizeof(struct bytes))
    return 0;
  struct bytes *list = malloc((size_t)ranges * sizeof *list);
  const int64_t apart = list && (ranges_are_apart(matrices, count, others, several, 1, list) ||
                                 ranges_are_apart(matrices, count, others, several, 0, list));
  free(list);
  return apart;
}
