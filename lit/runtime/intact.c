// New versions that may be tried in vain, by themselves: what must be readable is asked page by page, what a failed try has raised is taken back, and
// each failure keeps the next ones away for longer.
// RUN: gcc -std=gnu11 -O1 -g -Wall -Wextra -fsanitize=undefined %s -o %t -lm && %t
#define _GNU_SOURCE
#include "../../codegen/runtime/intact.c"
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

static struct polytile_extent bytes(const char *first, const char *end) {
  return (struct polytile_extent){(intptr_t)first, (intptr_t)end};
}

int main(void) {
  char *memory = mmap(0, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(memory != MAP_FAILED && !mprotect(memory + 2 * PAGE, PAGE, PROT_NONE), "memory");
  check(!mprotect(memory + PAGE, PAGE, PROT_READ), "memory that is only read");
  struct polytile_left left = {0, 0};
  int64_t state = 0;
  struct polytile_extent all[2] = {bytes(memory + 8, memory + 2 * PAGE), bytes(memory + 3 * PAGE, memory + 4 * PAGE)};
  check(polytile_intact_begin(&left, all, 2, &state), "all of it is readable");
  all[0].end++;
  check(!polytile_intact_begin(&left, all, 2, &state), "a byte behind it is not");
  all[0].end = all[0].first;
  check(polytile_intact_begin(&left, all, 2, &state), "nothing is");
  check(!munmap(memory + 3 * PAGE, PAGE) && !polytile_intact_begin(&left, all, 2, &state), "no memory at all");

  // Rows: their pages, also of many that lie behind each other, and none of what lies between.
  char *rows = mmap(0, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *table[20];
  for (int i = 0; i < 20; i++)
    table[i] = rows + (i < 8 ? i * PAGE / 2 : 8 * PAGE + (i - 8) * PAGE / 2);
  struct polytile_matrix m = {.table = (char *)table, .step = sizeof *table, .count = 20, .first = {0, 0}, .bytes = {PAGE / 2, 0}};
  check(polytile_intact_rows(&m, 1), "all rows");
  check(!mprotect(rows + 4 * PAGE, 4 * PAGE, PROT_NONE) && polytile_intact_rows(&m, 1), "nothing lies between");
  m.bytes[1] = 1;
  check(!polytile_intact_rows(&m, 1), "the eighth row is longer");
  m.bytes[1] = 0;
  table[11] = rows + 7 * PAGE;
  check(!polytile_intact_rows(&m, 1), "one of them");
  m.count = 11;
  check(polytile_intact_rows(&m, 1), "the others");
  table[3] = (char *)-8;
  check(!polytile_intact_rows(&m, 1), "no address behind the last one");
  struct polytile_extent entries = bytes((char *)table, (char *)(table + 20));
  check(polytile_intact_readable(&entries, 1), "the table");

  feclearexcept(FE_ALL_EXCEPT);
  check(polytile_intact_begin(&left, all, 1, &state), "no trap");
  volatile double zero = 0;
  volatile double none = zero / zero;
  (void)none;
  check(fetestexcept(FE_INVALID), "a flag");
  for (int64_t wait = 8; wait <= 512; wait *= 8) {
    polytile_intact_end(&left, state);
    check(!fetestexcept(FE_ALL_EXCEPT), "no flag");
    for (int64_t run = 0; run < wait; run++)
      check(!polytile_intact_begin(&left, all, 1, &state), "too early");
    check(polytile_intact_begin(&left, all, 1, &state), "again");
  }
  left.last = MOST;
  polytile_intact_end(&left, state);
  check(left.wait == MOST, "for ever");
  left.wait = 0;
  feenableexcept(FE_DIVBYZERO);
  check(!polytile_intact_begin(&left, all, 1, &state), "traps");
  return 0;
}
