// What is left out for a while because it was in vain the last times.
#pragma once

#include "machine.h"

// The first runs that are left out, and the most in a row.
#define LEAST 16
#define MOST 1024

static inline int is_turn(struct polytile_site *site) {
  const int64_t left = load_relaxed(&site->left);
  if (left <= 0)
    return 1;
  store_relaxed(&site->left, left - 1);
  return 0;
}

// It was in vain: the next runs are left out, more of them each time.
static inline void was_in_vain(struct polytile_site *site) {
  const int64_t more = min(2 * load_relaxed(&site->backoff) + LEAST, MOST);
  store_relaxed(&site->backoff, more);
  store_relaxed(&site->left, more);
}
