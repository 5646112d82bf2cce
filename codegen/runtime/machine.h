// What the files of the run-time need of the machine: atomic operations on 64 bits, a clock, and how to wait.
#pragma once

#include "runtime.h"

// Whether the code is for x86-64: said by the build, which makes bitcode for others as well.
#ifndef POLYTILE_X86
#ifdef __x86_64__
#define POLYTILE_X86 1
#else
#define POLYTILE_X86 0
#endif
#endif

// Tests choose between interleavings here.
#ifndef POLYTILE_POINT
#define POLYTILE_POINT(place, writes) (void)0
#endif

#ifndef POLYTILE_PATIENCE
// Looks at a counter before others may run, some ten microseconds, and between two such times.
#define POLYTILE_PATIENCE 1000
#endif

static inline int64_t load_relaxed(const int64_t *place) {
  POLYTILE_POINT(place, 0);
  return __atomic_load_n(place, __ATOMIC_RELAXED);
}

static inline int64_t load_acquire(const int64_t *place) {
  POLYTILE_POINT(place, 0);
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

static inline void store_relaxed(int64_t *place, int64_t value) {
  POLYTILE_POINT(place, 1);
  __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

static inline void store_release(int64_t *place, int64_t value) {
  POLYTILE_POINT(place, 1);
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

static inline void add_release(int64_t *place, int64_t value) {
  POLYTILE_POINT(place, 1);
  __atomic_fetch_add(place, value, __ATOMIC_RELEASE);
}

// Replaces `*old` by `wanted`; else `*old` is what is there.
static inline int swap_relaxed(int64_t *place, int64_t *old, int64_t wanted) {
  POLYTILE_POINT(place, 1);
  return __atomic_compare_exchange_n(place, old, wanted, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline int swap_acquire(int64_t *place, int64_t old, int64_t wanted) {
  POLYTILE_POINT(place, 1);
  return __atomic_compare_exchange_n(place, &old, wanted, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }

// a / b, up, of positive numbers
static inline int64_t quotient_up(int64_t a, int64_t b) { return (uint64_t)(a + (b - 1)) / (uint64_t)b; }

#ifndef POLYTILE_CLOCK
// The time, in steps of a processor's counter. Elsewhere the counter of cycles is not for programs.
static inline uint64_t ticks(void) {
#if !defined(__clang__)
  return __builtin_ia32_rdtsc();
#elif POLYTILE_X86
  return __builtin_readcyclecounter();
#else
  return __builtin_readsteadycounter();
#endif
}
#define POLYTILE_CLOCK() ticks()
#endif

#ifndef POLYTILE_PAUSE
// Tells the processor that this is a loop that waits, where it has an instruction for that.
static inline void moment(void) {
#if POLYTILE_X86
  __builtin_ia32_pause();
#endif
}
#define POLYTILE_PAUSE() moment()
#endif

extern int sched_yield(void) __attribute__((weak));

// Waits a moment; after POLYTILE_PATIENCE moments others may run. How many moments it has been since. Waiting gives way to other
// programs soon, but not at once: a thread that gives way loses its core for milliseconds, and one that never does keeps a core
// from a thread of its own team where there are more threads than cores.
static inline int64_t give_way(int64_t moments) {
  POLYTILE_PAUSE();
  if (moments < POLYTILE_PATIENCE)
    return moments;
  if (sched_yield)
    sched_yield();
  return 0;
}
