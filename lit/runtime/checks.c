// What is compared in front of a new version, by itself: ranges of bytes in pairs, also beyond 64 bits, and pointers at one distance.
// RUN: gcc -std=gnu11 -O1 -g -Wall -Wextra -fsanitize=address,undefined %s -o %t && %t
#include "../../codegen/runtime/checks.c"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

static struct polytile_extent bytes(__int128 first, __int128 end) { return (struct polytile_extent){first, end}; }

static void ranges(void) {
  const __int128 memory = (__int128)1 << 64, nowhere = (__int128)1 << 127;
  const uint64_t first_two[6] = {2}, both_ways[6] = {4, 0, 0, 0, 2}, last[6] = {0, 0, 4}, or_one[6] = {2, 2};
  struct polytile_extent all[] = {bytes(100, 200), bytes(200, 300), bytes(150, 260)};
  check(polytile_apart(all, first_two, 3), "neighbours");
  check(!polytile_apart(all, both_ways, 3), "the first and the last");
  check(!polytile_apart(all, last, 3), "the last two");
  const uint64_t none[6] = {0};
  check(polytile_apart(all, none, 3) && polytile_apart(all, 0, 0), "nothing asked");
  all[1] = bytes(199, 300);
  check(!polytile_apart(all, first_two, 3), "one byte");
  all[1] = bytes(50, 101);
  check(!polytile_apart(all, first_two, 3), "the first byte");
  all[1] = bytes(100, 200);
  check(!polytile_apart(all, first_two, 3) && polytile_apart(all, or_one, 3), "the same, where that is allowed");
  all[1] = bytes(101, 200);
  check(!polytile_apart(all, or_one, 3), "almost the same");
  all[1] = bytes(50, 100);
  check(polytile_apart(all, first_two, 3), "in front");
  all[1] = bytes(120, 130);
  check(!polytile_apart(all, first_two, 3), "inside");
  all[1] = bytes(120, nowhere);
  check(polytile_apart(all, first_two, 3), "of which nothing is accessed");
  all[1] = bytes(memory + 100, memory + 200);
  check(polytile_apart(all, first_two, 3), "the same bits in another place");
  all[0] = bytes(-memory, 2 * memory);
  check(!polytile_apart(all, first_two, 3), "more than memory");
  struct polytile_extent many[64];
  uint64_t with[128] = {0};
  for (int i = 0; i < 64; i++) {
    many[i] = bytes(10 * i, 10 * i + 10);
    with[2 * i] = i == 63 ? 0 : ~(uint64_t)0 << (i + 1);
  }
  check(polytile_apart(many, with, 64), "64 in a row");
  many[63] = bytes(0, 1);
  check(!polytile_apart(many, with, 64), "the first and the 64th");
}

static void lines(void) {
  enum { COUNT = 9, STEP = 2 };
  // Packed: no pointer is where pointers lie.
  char *table = malloc(1 + 8 * (STEP * COUNT - 1));
  char *place = table + 1;
  const uint64_t start = (uint64_t)-200, distance = 48;
  memset(place, 0x55, 8 * (STEP * COUNT - 1));
  for (int i = 0; i < COUNT; i++) {
    const uint64_t row = start + (uint64_t)i * distance;
    memcpy(place + 8 * STEP * i, &row, 8);
  }
  const int64_t last = STEP * (COUNT - 1);
  check(polytile_in_line(place, last, STEP, start, distance), "in line, around the end of memory");
  check(!polytile_in_line(place, last, STEP, start, distance + 1), "another distance");
  check(!polytile_in_line(place, last, STEP, start + 8, distance), "another start");
  check(!polytile_in_line(place, last, 1, start, distance), "other entries");
  check(!polytile_alike(place, last, STEP, 0, start), "words that differ");
  check(polytile_alike(place + 8, last - STEP, STEP, 0, 0x5555555555555555), "words between them");
  // No word is read behind the first one that differs.
  check(!polytile_alike(place, INT64_MAX, STEP, 0, start), "an end that is nowhere");
  const uint64_t wrong = start;
  memcpy(place + 8 * STEP * (COUNT - 1), &wrong, 8);
  check(!polytile_in_line(place, last, STEP, start, distance), "the last one");
  check(polytile_in_line(place, last - STEP, STEP, start, distance), "without it");
  free(table);
}

int main(void) {
  ranges();
  lines();
  return 0;
}
