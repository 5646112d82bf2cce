// The choice between two versions by itself, with a clock that the test sets: which one stays after how many runs, what trying
// costs, that each class of work decides for itself, that a size that changes confuses nothing; and threads at once, under a
// sanitizer.
// REQUIRES: thread-sanitizer
// RUN: gcc -std=gnu11 -O1 -g -Wall -fsanitize=thread %s -o %t -lpthread && %t
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local uint64_t ticking = 1;
#define POLYTILE_CLOCK() ticking
#include "../../codegen/runtime/select.c"

static int in_parallel;
int omp_in_parallel(void) { return in_parallel; }

static void check(int holds, const char *what, int64_t value) {
  if (!holds) {
    fprintf(stderr, "%s: %ld\n", what, (long)value);
    exit(1);
  }
}

static _Thread_local int64_t total, news;

// One entry of a region whose versions take so many ticks per 1000 units of work; whether the new one ran.
static int enter(struct polytile_choice *c, int64_t work, int64_t preferred, int64_t original, int64_t new) {
  const int64_t ticket = polytile_select_begin(c, work, preferred);
  const int64_t took = work * (ticket & 1 ? new : original) / 1000;
  ticking += (uint64_t)took;
  polytile_select_end(c, work, preferred, ticket);
  total += took;
  news += ticket & 1;
  return ticket & 1;
}

// Many entries; which version ran in the last one.
static int many(int64_t work, int64_t preferred, int64_t original, int64_t new, int entries) {
  struct polytile_choice c = {0};
  total = news = 0;
  for (int i = 0; i < entries; i++)
    enter(&c, work, preferred, original, new);
  return enter(&c, work, preferred, original, new);
}

static struct polytile_choice shared;
static void *from_a_thread(void *last) {
  for (int i = 0; i < 2000; i++)
    *(int *)last = enter(&shared, 100000, 1, 500, 900);
  return last;
}

int main(void) {
  for (int64_t work = 1000; work < INT64_C(1) << 40; work *= 7) {
    // The right one stays, whatever was preferred.
    check(many(work, 1, 1000, 500, 300) == 1, "new and faster", work);
    check(many(work, 0, 1000, 500, 300) == 1, "new, faster, not preferred", work);
    check(news >= 300 - 60, "soon", news);
    check(many(work, 1, 500, 1000, 300) == 0, "new and slower", work);
    check(many(work, 0, 500, 1000, 300) == 0, "new, slower, not preferred", work);
    check(news == 3, "tried three times", news);
    // Nearly the same is no gain.
    check(many(work, 1, 1000, 970, 300) == 0, "no gain", work);
  }
  // What tries lose is little, at any time, where the other version takes up to twice as long.
  for (int entries = 1; entries < 400; entries++) {
    many(100000, 0, 500, 1000, entries);
    check(total * 100 <= (entries + 1) * INT64_C(50000) * 107, "loss in percent", entries);
    many(100000, 1, 1000, 500, entries);
    check(total * 100 <= (entries + 1) * INT64_C(50000) * 107, "loss of the preferred one in percent", entries);
  }
  // A few entries are those of the preferred version.
  many(100000, 1, 1000, 2000, 14);
  check(news == 15, "few entries", news);
  // Sizes that change within a class, and from class to class.
  struct polytile_choice c = {0};
  for (int i = 0; i < 600; i++) {
    enter(&c, 70000 + i * 97 % 60000, 1, 500, 700);
    enter(&c, 70000000 + i * 97 % 6000, 1, 900, 300);
  }
  check(enter(&c, 80000, 1, 500, 700) == 0, "small sizes", 0);
  check(enter(&c, 70000500, 0, 900, 300) == 1, "large sizes", 0);
  // Without a clock, and inside of a parallel region, the preferred one.
  ticking = 0;
  check(many(0, 1, 1, 1, 50) == 1 && news == 51, "no clock", news);
  ticking = 1, in_parallel = 1;
  check(many(1000, 0, 1000, 10, 50) == 0 && news == 0, "in a parallel region", news);
  in_parallel = 0;
  // A counter that comes round.
  ticking = UINT64_MAX - 5000000;
  check(many(100000, 1, 1000, 500, 300) == 1, "overflow of the clock", 0);

  pthread_t threads[4];
  int last[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], 0, from_a_thread, &last[i]))
      return 1;
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], 0);
    check(last[i] == 0, "threads", i);
  }
}
