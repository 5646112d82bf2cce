// Tile sizes from the environment: a table of the module that a constructor fills before `main`.
#include "machine.h"

// Forced to what loops can use: small enough that no origin plus a size overflows.
#define MAX_SIZE (INT64_C(1) << 30)

extern char *getenv(const char *);
extern int64_t strtol(const char *, char **, int);

static int64_t table[POLYTILE_TABLE] __asm__("polytile.tile_sizes");

static void read_tile_sizes(void) __asm__("polytile.read_tile_sizes");
__attribute__((constructor)) POLYTILE_COLD static void read_tile_sizes(void) {
  char *text = getenv("POLYTILE_TILE_SIZES");
  for (int i = 0; text && i < POLYTILE_TABLE && *text; i++) {
    table[i] = strtol(text, &text, 10);
    if (*text)
      text++;
  }
}

// The size that was given for a parameter, a multiple of the register tile.
POLYTILE_INLINE int64_t polytile_size_given(int64_t parameter, int64_t otherwise, int64_t multiple) {
  const int64_t given = table[parameter];
  if (given <= 0)
    return otherwise;
  const int64_t bounded = min(given, MAX_SIZE);
  return max(bounded - bounded % multiple, multiple);
}
