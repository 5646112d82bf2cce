// Both versions of a region, by themselves: ranges that overlap, touch, are empty, or larger than memory; bytes that the new version
// left alone are never written; differences end the program.
// RUN: gcc -std=gnu11 -O1 -g -Wall -Wextra -fsanitize=address,undefined %s -o %t && %t
// RUN: not --crash %t byte 2>&1 | FileCheck %s --check-prefix=BYTE
// RUN: not --crash %t value 2>&1 | FileCheck %s --check-prefix=VALUE
// BYTE: polytile: here: the new version differs from the original: byte 3 of 8 at 0x{{.*}} is 0x07 and not 0x09
// VALUE: polytile: here: the new version differs from the original: a value is 0x2a and not 0x2b
#include "../../codegen/runtime/verify.c"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

static struct polytile_extent bytes(const void *first, int64_t count) {
  return (struct polytile_extent){(__int128)(uintptr_t)first, (__int128)(uintptr_t)first + count};
}

static void ranges(void) {
  char all[64], before[64];
  for (int i = 0; i < 64; i++)
    before[i] = all[i] = (char)i;
  // In any order; the first two share bytes, the third touches them, one is inside of another, one is empty.
  const struct polytile_extent list[] = {bytes(all + 20, 10), bytes(all + 10, 12), bytes(all + 30, 4),
                                         bytes(all + 50, 8),  bytes(all + 52, 2),  bytes(all + 40, 0)};
  const int64_t kept = polytile_verify_keep(list, 6, 1, "here");
  check(kept && record(kept)->pieces == 2 && record(kept)->all[0].bytes == 24 && record(kept)->all[1].bytes == 8, "pieces");
  all[10] = all[21] = all[33] = all[57] = 99;
  polytile_verify_hand_over(kept, 5);
  polytile_verify_put_aside(kept);
  check(!memcmp(all, before, sizeof all), "as it was");
  all[10] = all[21] = all[33] = all[57] = 99;
  polytile_verify_scalar(kept, 5, "here");
  polytile_verify_compare(kept, "here");
  check(all[21] == 99, "the original's");
}

// What is only read may be in memory that cannot be written.
static void untouched(void) {
  const size_t page = 4096;
  char *memory = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(memory != MAP_FAILED && !mprotect(memory + page, page, PROT_READ), "pages");
  const struct polytile_extent list[] = {bytes(memory, 2 * page)};
  const int64_t kept = polytile_verify_keep(list, 1, 0, "here");
  memory[1] = 1;
  polytile_verify_put_aside(kept);
  check(!memory[1], "put aside");
  memory[1] = 1;
  polytile_verify_compare(kept, "here");
  munmap(memory, 2 * page);
}

static void without_memory(void) {
  const struct polytile_extent list[] = {bytes(0, 4), {0, (__int128)1 << 64}};
  check(!polytile_verify_keep(list + 1, 1, 0, "here"), "all of memory");
  polytile_verify_hand_over(0, 1);
  polytile_verify_put_aside(0);
  polytile_verify_scalar(0, 2, "here");
  polytile_verify_compare(0, "here");
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1) {
    ranges();
    untouched();
    without_memory();
    return 0;
  }
  char all[8] = {0};
  const struct polytile_extent list[] = {bytes(all, 8)};
  const int64_t kept = polytile_verify_keep(list, 1, 1, "here");
  all[3] = 7;
  polytile_verify_hand_over(kept, 42);
  polytile_verify_put_aside(kept);
  all[3] = 9;
  polytile_verify_scalar(kept, argv[1][0] == 'v' ? 43 : 42, "here");
  polytile_verify_compare(kept, "here");
}
