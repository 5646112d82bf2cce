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

// Where the ranges that ascend from here on end.
static int64_t end_of_run(const struct bytes *all, int64_t from, int64_t count) {
  int64_t at = min(from + 1, count);
  while (at < count && !is_before(&all[at], &all[at - 1]))
    at++;
  return at;
}

// Merges two runs, the second one behind the first one.
static void merge(const struct bytes *all, int64_t first, int64_t second, int64_t end, struct bytes *to) {
  for (int64_t a = first, b = second; a < second || b < end; to++)
    *to = b == end || (a < second && !is_before(&all[b], &all[a])) ? all[a++] : all[b++];
}

// Sorts ranges, with room for as many: where they are then. Rows mostly ascend from one entry to the next, so that there are a few runs for each
// table, however many rows there are.
static struct bytes *sort(struct bytes *all, struct bytes *spare, int64_t count) {
  for (int64_t end = end_of_run(all, 0, count); end < count; end = end_of_run(all, 0, count)) {
    for (int64_t first = 0; first < count; first = end) {
      const int64_t second = end_of_run(all, first, count);
      end = end_of_run(all, second, count);
      merge(all, first, second, end, spare + first);
    }
    struct bytes *const merged = spare;
    spare = all, all = merged;
  }
  return all;
}

// Whether no two share a byte of which one is written and one is in a row. Sorts them, with room for as many.
static int are_apart(struct bytes *ranges, struct bytes *spare, int64_t count) {
  const struct bytes *const all = sort(ranges, spare, count);
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

// Ranges as they are found; behind their room there is as much again for sorting. `merge`: of rows that ascend with less than another one
// between two of them there is one range, with all between.
struct list {
  struct bytes *all;
  int64_t count, room;
  int merge, merged, open;
  uint64_t gap;
  struct bytes run;
};

static int close_run(struct list *list) {
  if (list->open) {
    if (list->count == list->room)
      return 0;
    list->all[list->count++] = list->run;
  }
  list->open = 0;
  return 1;
}

// Adds the rows of some entries that lie behind each other: whether there was room, and rows end at addresses.
static int add_pointers(struct list *list, const struct polytile_matrix *m, const char *entry, int64_t step, int64_t count) {
  uint64_t first = (uint64_t)m->first[0], bytes = (uint64_t)m->bytes[0];
  for (int64_t r = 0; r < count; r++, entry += step, first += (uint64_t)m->first[1], bytes += (uint64_t)m->bytes[1]) {
    uint64_t row, end;
    __builtin_memcpy(&row, entry, sizeof row);
    row += first;
    if (__builtin_add_overflow(row, bytes, &end))
      return 0;
    if (list->open && list->merge && row >= list->run.end && row - list->run.end <= list->gap) {
      list->merged = 1;
    } else {
      if (!close_run(list))
        return 0;
      list->run.first = row;
      list->open = 1;
    }
    list->run.end = end;
  }
  return 1;
}

// Tables on the way to an element.
#define MOST_TABLES 4

// The numbers of a table's entries, by those before: the next table's bounds.
static const int64_t *between(const int64_t *at, int64_t level, const int64_t *numbers, int64_t *lo, int64_t *hi) {
  for (int upper = 0; upper < 2; upper++) {
    int64_t *const end = upper ? hi : lo;
    const int64_t count = *at++;
    for (int64_t b = 0; b < count; b++) {
      int64_t bound = *at++;
      for (int64_t n = 0; n < level; n++)
        bound += *at++ * numbers[n];
      if (!b || (upper ? bound < *end : bound > *end))
        *end = bound;
    }
  }
  return at;
}

// What is done with the entries of a table in tables: they are added to a list, their words so far behind, or the distances of those from the
// pointers, are compared with one, or they are only counted.
struct visit {
  struct list *list;
  int compare;
  int64_t behind;
  int64_t distance;
  uint64_t word;
  int64_t rows;
};

static int visit_pointers(struct visit *v, const struct polytile_matrix *m, const char *entry, int64_t step, int64_t count) {
  if (__builtin_add_overflow(v->rows, count, &v->rows))
    return 0;
  if (v->list)
    return add_pointers(v->list, m, entry, step, count);
  for (int64_t i = 0; v->compare && i < count; i++) {
    uint64_t word, from = 0;
    __builtin_memcpy(&word, entry + i * step + v->behind, sizeof word);
    if (v->distance)
      __builtin_memcpy(&from, entry + i * step, sizeof from);
    if (word - from != v->word)
      return 0;
  }
  return 1;
}

static int visit_entries(struct visit *v, const struct polytile_matrix *m, const int64_t *at, int64_t level, int64_t *numbers,
                         const char *table) {
  const int64_t first = at[0], step = at[1];
  int64_t lo = 0, hi = -1;
  at = between(at + 2, level, numbers, &lo, &hi);
  if (level + 1 == m->tables)
    return hi < lo || visit_pointers(v, m, table + first + lo * step, step, hi - lo + 1);
  for (numbers[level] = lo; numbers[level] <= hi; numbers[level]++) {
    const char *row = table;
    if (v->list || v->compare)
      __builtin_memcpy(&row, table + first + numbers[level] * step, sizeof row);
    if (!visit_entries(v, m, at, level + 1, numbers, row))
      return 0;
  }
  return 1;
}

// Whether all was as it should be.
static int visit_all(struct visit *v, const struct polytile_matrix *m) {
  int64_t numbers[MOST_TABLES];
  return !m->count || (m->tables <= MOST_TABLES && visit_entries(v, m, m->numbers, 0, numbers, m->table));
}

// Whether the words so many bytes behind all pointers of a table in tables are the same, or their distances from the pointers.
int64_t polytile_alike_through(const struct polytile_matrix *m, int64_t behind, int64_t distance, uint64_t word) {
  struct visit v = {.compare = 1, .behind = behind, .distance = distance, .word = word};
  return visit_all(&v, m);
}

// Adds the ranges of a matrix's rows to a list, if there is room.
static int add_rows(struct list *list, const struct polytile_matrix *m) {
  struct visit v = {.list = list};
  list->run.kind = ROW | (m->written ? WRITTEN : 0);
  list->gap = (uint64_t)m->pitch;
  const int fine = m->tables ? visit_all(&v, m) : add_pointers(list, m, m->table, m->step, m->count);
  return fine && close_run(list);
}

// Whether all rows are apart from each other and from the others, as far as there is room to say so.
static int ranges_are_apart(const struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others,
                            int64_t several, struct list *list) {
  list->count = list->merged = list->open = 0;
  for (int64_t m = 0; m < count; m++)
    if (!add_rows(list, &matrices[m]))
      return 0;
  for (int64_t i = 0; i < several; i++)
    if (others[i].first < others[i].end) {
      if (list->count == list->room)
        return 0;
      list->all[list->count++] = (struct bytes){others[i].first, others[i].end, WRITTEN};
    }
  return are_apart(list->all, list->all + list->room, list->count);
}

// How many rows there are; -1 if what is accessed of one has no bytes, or does not lie in what is taken for a row.
static int64_t rows_of(const struct polytile_matrix *m) {
  struct visit v = {.list = 0};
  if (!m->tables)
    return m->count > 0 && fits(m, 0) && fits(m, m->count - 1) ? m->count : -1;
  return !m->count || (fits(m, 0) && visit_all(&v, m)) ? v.rows : -1;
}

// How many rows all of them have.
int64_t polytile_rows_counted(const struct polytile_matrix *matrices, int64_t count) {
  int64_t all = 0;
  for (int64_t m = 0; m < count; m++)
    if (__builtin_add_overflow(all, max(rows_of(&matrices[m]), 0), &all))
      return INT64_MAX;
  return all;
}

// Ranges that need no memory to be asked for.
#define FEW 24

// Whether all rows are apart from each other and from the others. Most tables are a few ranges: only where something lies between rows they
// are taken one by one.
int64_t polytile_rows_apart(const struct polytile_matrix *matrices, int64_t count, const struct polytile_range *others,
                            int64_t several) {
  int64_t ranges = several;
  for (int64_t m = 0; m < count; m++) {
    const int64_t rows = rows_of(&matrices[m]);
    if (rows < 0 || __builtin_add_overflow(ranges, rows, &ranges))
      return 0;
  }
  struct bytes few[2 * FEW];
  struct list list = {.all = few, .room = FEW, .merge = 1};
  if (ranges_are_apart(matrices, count, others, several, &list))
    return 1;
  if (ranges > INT64_MAX / (int64_t)(2 * sizeof(struct bytes)))
    return 0;
  list.all = malloc(2 * (size_t)ranges * sizeof *list.all);
  list.room = ranges;
  int64_t apart = list.all && ranges_are_apart(matrices, count, others, several, &list);
  if (list.all && !apart && list.merged) {
    list.merge = 0;
    apart = ranges_are_apart(matrices, count, others, several, &list);
  }
  free(list.all);
  return apart;
}
