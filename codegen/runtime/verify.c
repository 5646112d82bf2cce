// Both versions of a region, one after the other, and whether they leave the same bytes behind (option `verify=run`).
//
//   kept = keep(ranges)         what the new version may write is copied
//   the new version             hands scalars over
//   put_aside(kept)             its bytes and the copied ones change places: memory is as it was
//   the original
//   compare(kept, place)        ends the program at the first byte that differs
//
// Only bytes that the new version has changed are put back, since ranges may hold others between the elements of a column. Such bytes are
// compared, too: a thread of the program that writes them meanwhile looks like a difference.
#include "runtime.h"

extern void *malloc(size_t);
extern void free(void *);
extern void abort(void) __attribute__((weak));
extern int fprintf(void *, const char *, ...) __attribute__((weak));
extern void *stderr __attribute__((weak));

// Nothing of a program is larger.
#define MOST (INT64_C(1) << 47)

// Bytes that the new version may write, and their copy.
struct piece {
  char *memory, *copy;
  int64_t bytes;
};

struct polytile_kept {
  int64_t pieces;
  int64_t scalars;  // handed over by the new version
  int64_t compared; // of them
  int64_t *values;
  struct piece all[];
};

// Ranges in the order of their addresses, those that meet as one; how many there are, or -1 if one is larger than memory.
static int64_t joined(struct piece *all, const struct polytile_extent *ranges, int64_t count) __asm__("polytile.joined");
POLYTILE_COLD static int64_t joined(struct piece *all, const struct polytile_extent *ranges, int64_t count) {
  int64_t used = 0;
  for (int64_t i = 0; i < count; i++) {
    if (ranges[i].end <= ranges[i].first)
      continue;
    if (ranges[i].first < 0 || ranges[i].end - ranges[i].first > MOST)
      return -1;
    const struct piece new = {(char *)(uintptr_t)ranges[i].first, 0, (int64_t)(ranges[i].end - ranges[i].first)};
    int64_t at = used++;
    for (; at > 0 && all[at - 1].memory > new.memory; at--)
      all[at] = all[at - 1];
    all[at] = new;
  }
  int64_t last = 0;
  for (int64_t i = 1; i < used; i++) {
    const int64_t ahead = all[i].memory - all[last].memory;
    if (ahead > all[last].bytes)
      all[++last] = all[i];
    else if (ahead + all[i].bytes > all[last].bytes)
      all[last].bytes = ahead + all[i].bytes;
  }
  return used ? last + 1 : 0;
}

static int64_t copied(const struct polytile_extent *ranges, int64_t count, int64_t scalars) __asm__("polytile.copied");
// What the ranges hold, and room for scalars; 0 if there is no memory.
POLYTILE_COLD static int64_t copied(const struct polytile_extent *ranges, int64_t count, int64_t scalars) {
  const size_t head = sizeof(struct polytile_kept) + (size_t)count * sizeof(struct piece);
  struct polytile_kept *kept = malloc(head + (size_t)scalars * sizeof(int64_t));
  if (!kept)
    return 0;
  kept->pieces = joined(kept->all, ranges, count);
  kept->scalars = kept->compared = 0;
  kept->values = (int64_t *)((char *)kept + head);
  int64_t done = 0;
  for (; done < kept->pieces; done++) {
    struct piece *p = &kept->all[done];
    p->copy = malloc((size_t)p->bytes);
    if (!p->copy)
      break;
    __builtin_memcpy(p->copy, p->memory, (size_t)p->bytes);
  }
  if (done == kept->pieces)
    return (int64_t)(uintptr_t)kept;
  while (done-- > 0)
    free(kept->all[done].copy);
  free(kept);
  return 0;
}

// In front of the new version; 0, and a line on the error stream, if it has to run alone.
POLYTILE_COLD int64_t polytile_verify_keep(const struct polytile_extent *ranges, int64_t count, int64_t scalars, const char *place) {
  const int64_t kept = copied(ranges, count, scalars);
  if (!kept && fprintf && &stderr)
    fprintf(stderr, "polytile: %s: not compared: no memory for a copy of what is written\n", place);
  return kept;
}

static inline struct polytile_kept *record(int64_t kept) { return (struct polytile_kept *)(uintptr_t)kept; }

// A scalar of the new version.
POLYTILE_COLD void polytile_verify_hand_over(int64_t kept, int64_t bits) {
  struct polytile_kept *k = record(kept);
  if (k)
    k->values[k->scalars++] = bits;
}

// Puts memory back as it was, and keeps what the new version has made of it.
POLYTILE_COLD void polytile_verify_put_aside(int64_t kept) {
  struct polytile_kept *k = record(kept);
  for (int64_t i = 0; k && i < k->pieces; i++) {
    const struct piece p = k->all[i];
    for (int64_t at = 0; at < p.bytes; at++) {
      const char new = p.memory[at];
      if (new != p.copy[at]) {
        p.memory[at] = p.copy[at];
        p.copy[at] = new;
      }
    }
  }
}

static inline void give_up(void) {
  if (abort)
    abort();
  __builtin_trap();
}

// Behind the original: the next scalar. Nothing was kept where only one version has run.
POLYTILE_COLD void polytile_verify_scalar(int64_t kept, int64_t bits, const char *place) {
  if (!kept)
    return;
  struct polytile_kept *k = record(kept);
  const int64_t new = k->values[k->compared++];
  if (new == bits)
    return;
  if (fprintf && &stderr)
    fprintf(stderr, "polytile: %s: the new version differs from the original: a value is 0x%lx and not 0x%lx\n", place, new,
            bits);
  give_up();
}

// The first byte that differs ends the program; else what was kept goes.
POLYTILE_COLD void polytile_verify_compare(int64_t kept, const char *place) {
  if (!kept)
    return;
  struct polytile_kept *k = record(kept);
  for (int64_t i = 0; i < k->pieces; i++) {
    const struct piece p = k->all[i];
    for (int64_t at = 0; at < p.bytes; at++) {
      if (p.memory[at] == p.copy[at])
        continue;
      if (fprintf && &stderr)
        fprintf(stderr,
                "polytile: %s: the new version differs from the original: byte %ld of %ld at %p is 0x%02x and not 0x%02x\n",
                place, at, p.bytes, (void *)p.memory, (unsigned char)p.copy[at], (unsigned char)p.memory[at]);
      give_up();
    }
    free(p.copy);
  }
  free(k);
}
