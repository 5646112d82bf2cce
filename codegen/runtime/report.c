// Switches of the program's user, and what a program says of its regions when it ends.
//
//   POLYTILE_DISABLE=1   original versions only
//   POLYTILE_VERBOSE=1   at the end a line for each region: how often which version ran, why the original did, and for how long
//
// Both are read once, when the module's code is loaded: the environment may not be read while another thread changes it. Where
// neither is set, a region pays a load and a branch in front of its new version. All symbols are the module's own; what is taken
// from the library is asked for weakly, so that a program without one links.
#include "machine.h"

struct timespec {
  int64_t seconds, nanoseconds;
};

extern char *getenv(const char *) __attribute__((weak));
extern int clock_gettime(int, struct timespec *) __attribute__((weak));
extern int fprintf(void *, const char *, ...) __attribute__((weak));
extern void *stderr __attribute__((weak));

#define CLOCK_MONOTONIC 1
#define SECOND INT64_C(1000000000)

// What the environment asks for.
enum { DISABLED = 1, VERBOSE = 2 };
static int64_t asked __asm__("polytile.asked");

// The regions of the module, and 0 behind them; code generation makes the list.
extern struct polytile_region *const polytile_regions[] __asm__("polytile.regions");

static int is_on(const char *name) __asm__("polytile.is_on");
POLYTILE_COLD static int is_on(const char *name) {
  const char *value = getenv ? getenv(name) : 0;
  return value && *value && !(value[0] == '0' && !value[1]);
}

static void read_switches(void) __asm__("polytile.read_switches");
__attribute__((constructor)) POLYTILE_COLD static void read_switches(void) {
  store_relaxed(&asked, (is_on("POLYTILE_DISABLE") ? DISABLED : 0) | (is_on("POLYTILE_VERBOSE") ? VERBOSE : 0));
}

static int64_t now(void) __asm__("polytile.now");
// Nanoseconds; 0 where there is no clock.
POLYTILE_COLD static int64_t now(void) {
  struct timespec t;
  return clock_gettime && clock_gettime(CLOCK_MONOTONIC, &t) == 0 ? t.seconds * SECOND + t.nanoseconds : 0;
}

static inline void add(int64_t *place, int64_t value) {
  POLYTILE_POINT(place, 1);
  __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

// A ticket: 0 does not run, 1 runs unseen, any other is the time of the entry.
enum { OFF, UNSEEN, LEAST };

POLYTILE_COLD int64_t polytile_report_asked(void) {
  return load_relaxed(&asked) & DISABLED ? OFF : max(now(), LEAST);
}

// In front of all that a new version checks: a ticket.
POLYTILE_INLINE int64_t polytile_report_enter(void) {
  return __builtin_expect(load_relaxed(&asked) != 0, 0) ? polytile_report_asked() : UNSEEN;
}

POLYTILE_COLD void polytile_report_count(struct polytile_region *region, int64_t ticket, int64_t reason) {
  if (reason != POLYTILE_RAN)
    return add(&region->refused[reason], 1);
  add(&region->runs, 1);
  add(&region->time, max(now() - ticket, 0));
}

// What came of an entry: POLYTILE_RAN, or why the original runs.
POLYTILE_INLINE void polytile_report_note(struct polytile_region *region, int64_t ticket, int64_t reason) {
  if (__builtin_expect(ticket != UNSEEN, 0))
    polytile_report_count(region, ticket, reason);
}

// In front of the whole region, where that is to be counted: when it began, or 0.
POLYTILE_INLINE int64_t polytile_report_begin(void) {
  return __builtin_expect(load_relaxed(&asked) & VERBOSE, 0) ? max(now(), LEAST) : 0;
}

POLYTILE_COLD void polytile_report_entry(struct polytile_region *region, int64_t began) {
  add(&region->entries, 1);
  add(&region->whole, max(now() - began, 0));
}

// Behind both versions.
POLYTILE_INLINE void polytile_report_end(struct polytile_region *region, int64_t began) {
  if (__builtin_expect(began != 0, 0))
    polytile_report_entry(region, began);
}

static const char *const why[POLYTILE_REASONS] = {
    [POLYTILE_REFUSED_DISABLED] = "switched off",
    [POLYTILE_REFUSED_CONDITION] = "sizes or subscripts not as assumed",
    [POLYTILE_REFUSED_OVERLAP] = "arrays overlap",
    [POLYTILE_REFUSED_ROWS] = "rows behind pointers that are not apart, or fewer than two",
    [POLYTILE_REFUSED_THREADS] = "gains by threads only, and there is one",
    [POLYTILE_REFUSED_MEMORY] = "no memory",
    [POLYTILE_REFUSED_WORK] = "not enough work",
};

static double seconds(int64_t nanoseconds) { return (double)nanoseconds / SECOND; }

static void tell(const struct polytile_region *region) __asm__("polytile.tell");
POLYTILE_COLD static void tell(const struct polytile_region *region) {
  const int64_t runs = load_relaxed(&region->runs), time = load_relaxed(&region->time);
  int64_t counts[POLYTILE_REASONS], original = 0;
  for (int i = 0; i < POLYTILE_REASONS; i++)
    original += counts[i] = load_relaxed(&region->refused[i]);
  if (region->counted) {
    const int64_t unasked = max(load_relaxed(&region->entries) - runs - original, 0);
    counts[POLYTILE_REFUSED_WORK] += unasked;
    original += unasked;
  }
  if (runs + original == 0) {
    fprintf(stderr, "polytile: %s: no run%s\n", region->place, region->counted ? "" : " with enough work");
    return;
  }
  fprintf(stderr, "polytile: %s: new version %ld (%.6f s), original %ld", region->place, runs, seconds(time), original);
  if (region->counted)
    fprintf(stderr, " (%.6f s)", seconds(load_relaxed(&region->whole) - time));
  for (int i = 0; i < POLYTILE_REASONS; i++)
    if (counts[i])
      fprintf(stderr, "; %s: %ld", why[i], counts[i]);
  fprintf(stderr, "\n");
}

static void report(void) __asm__("polytile.report");
__attribute__((destructor)) POLYTILE_COLD static void report(void) {
  if (load_relaxed(&asked) & VERBOSE && fprintf && &stderr)
    for (struct polytile_region *const *region = polytile_regions; *region; region++)
      tell(*region);
}
