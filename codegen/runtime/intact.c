// Regions that the program may leave early: whether their new version may be tried, which goes through all of their iterations, and what is left of a
// try that was in vain.
//
// What the program does not come to it may not be able to read: an array may end where memory ends. So each page of what the region may read is asked
// for in front, of tables of rows before their entries are read, and of the rows. And what it would not have computed raises no flag: what a failed try leaves of the state of floating point is put back.
//
// A try that was in vain may have taken far longer than the program up to where it leaves. So after the first one the next 8 runs are the
// original's, after the second one 64, and so on.
#include "machine.h"

#if POLYTILE_X86

#define PAGE 4096

// How many times as many runs are the original's after each try in vain, and how many at most.
#define MORE 8
#define MOST ((int64_t)1 << 60)

// All exceptions of SSE are masked.
#define MASKS 0x1f80u

// Of the C library.
extern long syscall(long number, ...);
extern int *__errno_location(void);

// No instructions as text: not every host can read those.
static uint32_t flags(void) { return __builtin_ia32_stmxcsr(); }

// Asks the system to copy eight bytes from there, for a change of the signal mask of a kind that there is not.
static int is_readable(uint64_t page) {
  enum { SIGPROCMASK = 14, EINVAL = 22, NONE = -1 };
  return syscall(SIGPROCMASK, (long)NONE, page, 0L, 8L) < 0 && *__errno_location() == EINVAL;
}

// Pages that lie behind each other.
struct pages {
  uint64_t first, last;
};

// Whether all of them are, by one question for many, where the system knows that one. An error says nothing.
static int pages_are_readable(struct pages all) {
  enum { MADVISE = 28, POPULATE_READ = 22, MANY = 4 };
  if (all.last < all.first)
    return 0;
  const uint64_t count = all.last - all.first + 1;
  if (count >= MANY && !syscall(MADVISE, all.first * PAGE, count * PAGE, (long)POPULATE_READ))
    return 1;
  for (uint64_t page = all.first; page <= all.last; page++)
    if (!is_readable(page * PAGE))
      return 0;
  return 1;
}

static struct pages pages_of(struct polytile_extent bytes) {
  return (struct pages){(uint64_t)bytes.first / PAGE, (uint64_t)(bytes.end - 1) / PAGE};
}

static int are_readable(const struct polytile_extent *all, int64_t count) {
  int error = *__errno_location(), found = 1;
  for (int64_t i = 0; i < count && found; i++)
    if (all[i].end > all[i].first)
      found = pages_are_readable(pages_of(all[i]));
  *__errno_location() = error;
  return found;
}

int64_t polytile_intact_readable(const struct polytile_extent *all, int64_t count) { return are_readable(all, count); }

// What is accessed of a row.
static struct polytile_extent row_of(const struct polytile_matrix *m, int64_t row) {
  int64_t pointer;
  __builtin_memcpy(&pointer, m->table + row * m->step, sizeof pointer);
  const __int128 first = (__int128)pointer + m->first[0] + row * m->first[1];
  return (struct polytile_extent){first, first + m->bytes[0] + row * m->bytes[1]};
}

// Most rows lie behind each other: their pages are asked for together.
static int rows_are_readable(const struct polytile_matrix *m) {
  if (m->count < 1)
    return 1;
  struct pages run = pages_of(row_of(m, 0));
  for (int64_t row = 1; row < m->count; row++) {
    const struct pages own = pages_of(row_of(m, row));
    if (own.first < run.first || own.first > run.last + 1 || own.last < own.first) {
      if (!pages_are_readable(run))
        return 0;
      run = own;
    } else if (own.last > run.last) {
      run.last = own.last;
    }
  }
  return pages_are_readable(run);
}

int64_t polytile_intact_rows(const struct polytile_matrix *matrices, int64_t count) {
  int error = *__errno_location(), found = 1;
  for (int64_t i = 0; i < count && found; i++)
    found = rows_are_readable(&matrices[i]);
  *__errno_location() = error;
  return found;
}

int64_t polytile_intact_begin(struct polytile_left *left, const struct polytile_extent *all, int64_t count, int64_t *state) {
  uint32_t before = flags();
  int64_t wait = load_relaxed(&left->wait);
  if (wait)
    store_relaxed(&left->wait, wait - 1);
  if (wait || (before & MASKS) != MASKS)
    return 0;
  *state = before;
  return are_readable(all, count);
}

void polytile_intact_end(struct polytile_left *left, int64_t state) {
  __builtin_ia32_ldmxcsr((uint32_t)state);
  int64_t last = load_relaxed(&left->last);
  last = last ? last < MOST ? last * MORE : MOST : MORE;
  store_relaxed(&left->last, last);
  store_relaxed(&left->wait, last);
}

#else

// Nobody knows how to ask.
int64_t polytile_intact_readable(const struct polytile_extent *all, int64_t count) {
  (void)all, (void)count;
  return 0;
}

int64_t polytile_intact_rows(const struct polytile_matrix *matrices, int64_t count) {
  (void)matrices, (void)count;
  return 0;
}

int64_t polytile_intact_begin(struct polytile_left *left, const struct polytile_extent *all, int64_t count, int64_t *state) {
  (void)left, (void)all, (void)count, (void)state;
  return 0;
}

void polytile_intact_end(struct polytile_left *left, int64_t state) { (void)left, (void)state; }

#endif
