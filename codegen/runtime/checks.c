// What is compared in front of a new version: the bytes of arrays, and rows behind pointers.
#include "runtime.h"

// Whether the ranges are apart of which a pair is to be; bit `j` of `with[2 * i]` stands for the pair of `i` and `j`. Where that of
// `with[2 * i + 1]` is set, they may begin at one address as well.
int64_t polytile_apart(const struct polytile_extent *all, const uint64_t *with, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    for (uint64_t left = with[2 * i]; left; left &= left - 1) {
      const int j = __builtin_ctzll(left);
      const struct polytile_extent *a = &all[i], *b = &all[j];
      const int one = with[2 * i + 1] >> j & 1 && a->first == b->first;
      if (!one && a->end > b->first && b->end > a->first)
        return 0;
    }
  return 1;
}

// Whether a table's pointers go by one distance: each `step`th of them, to `last` where that is a whole number of steps away.
int64_t polytile_in_line(const char *table, int64_t last, int64_t step, uint64_t row, uint64_t distance) {
  uint64_t apart = 0;
  for (int64_t at = 0; at <= last; at += step, row += distance) {
    uint64_t entry;
    __builtin_memcpy(&entry, table + at * (int64_t)sizeof entry, sizeof entry);
    apart |= entry ^ row;
  }
  return !apart;
}

// Whether each `step`th word of a table is the same, to `last`, or its distance from the one so many words `back`. No entry is read behind
// one that differs: there the program may end.
int64_t polytile_alike(const char *table, int64_t last, int64_t step, int64_t back, uint64_t word) {
  for (int64_t at = 0; at <= last; at += step) {
    uint64_t entry, from = 0;
    __builtin_memcpy(&entry, table + at * (int64_t)sizeof entry, sizeof entry);
    if (back)
      __builtin_memcpy(&from, table + (at - back) * (int64_t)sizeof from, sizeof from);
    if (entry - from != word)
      return 0;
  }
  return 1;
}
