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

// Whether what is accessed of a row has bytes, and lies in what is taken for a row. Where that holds for the first and the last one it does
// for all.
static int fits(const struct polytile_matrix *m, int64_t row) {
  int64_t first, bytes, end;
  return !__builtin_mul_overflow(row, m->first[1], &first) && !__builtin_add_overflow(first, m->first[0], &first) && first >= 0 &&
         !__builtin_mul_overflow(row, m->bytes[1], &bytes) && !__builtin_add_overflow(bytes, m->bytes[0], &bytes) && bytes > 0 &&
         !__builtin_add_overflow(first, bytes, &end) && end <= m->pitch;
}

// Adds the ranges of a matrix's rows to a list with room for so many: how many it has then, or more than there is room for. `merge`: of rows that
// ascend with less than another one between two of them the list gets one range, with all between.
static int64_t add_rows(const struct polytile_matrix *m, int merge, struct bytes *list, int64_t count, int64_t room) {
  const uint64_t kind = ROW | (m->written ? WRITTEN : 0), gap = (uint64_t)m->pitch;
  uint64_t first = (uint64_t)m->first[0], bytes = (uint64_t)m->bytes[0];
  struct bytes run = {0, 0, kind};
  const char *entry = m->table;
  for (int64_t r = 0; r < m->count; r++, entry += m->step, first += (uint64_t)m->first[1], bytes += (uint64_t)m->bytes[1]) {
    uint64_t row, end;
    __builtin_memcpy(&row, entry, sizeof row);
    row += first;
    if (__builtin_add_overflow(row, bytes, &end))
      return room + 1;
    if (!merge || !r || row < run.end || row - run.end > gap) {
      if (r) {
        if (count == room)
          return room + 1;
        list[count++] = run;
      }
      run.first = row;
    }
    run.end = end;
  }
  if (count == room)
    return room + 1;
  list[count++] = run;
  return count;
}

// Whether all rows are apart from each other and from the others, as far as there is room to say so.
static int ranges_are_apart(const struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others,
                            int64_t several, int merge, struct bytes *list, int64_t room) {
  int64_t ranges = 0;
  for (int64_t m = 0; m < count && ranges <= room; m++)
    ranges = add_rows(&matrices[m], merge, list, ranges, room);
  for (int64_t i = 0; i < several && ranges <= room; i++)
    if (others[i].first < others[i].end) {
      if (ranges == room)
        return 0;
      list[ranges++] = (struct bytes){others[i].first, others[i].end, WRITTEN};
    }
  return ranges <= room && are_apart(list, ranges);
}

// Ranges that need no memory to be asked for.
#define FEW 24

// Whether all rows are apart from each other and from the others. Most tables are a few ranges: only where something lies between rows they
// are taken one by one.
int64_t polytile_rows_apart(const struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others,
                            int64_t several) {
  int64_t ranges = several;
  for (int64_t m = 0; m < count; m++) {
    const struct polytile_matrix *matrix = &matrices[m];
    if (matrix->count <= 0 || !fits(matrix, 0) || !fits(matrix, matrix->count - 1) ||
        __builtin_add_overflow(ranges, matrix->count, &ranges))
      return 0;
  }
  struct bytes few[FEW];
  if (ranges_are_apart(matrices, count, others, several, 1, few, FEW))
    return 1;
  if (ranges > INT64_MAX / (int64_t)sizeof(struct bytes))
    return 0;
  struct bytes *list = malloc((size_t)ranges * sizeof *list);
  const int64_t apart = list && ranges_are_apart(matrices, count, others, several, 0, list, ranges);
  free(list);
  return apart;
}
