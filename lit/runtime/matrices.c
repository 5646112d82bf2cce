// Rows behind pointers, wherever they lie: whether they are apart from each other and from other memory.
// RUN: gcc -std=gnu11 -O1 -g -Wall -Wextra -fsanitize=address,undefined %s -o %t && %t
#include "../../codegen/runtime/matrices.c"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 37, COLUMNS = 11, FIRST = 2 };
typedef struct {
  char *row;
  char *end, *room;
} entry;
static entry table[ROWS];
static float *owned[ROWS];

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

// Rows of exactly what is accessed: the sanitizer sees each byte beside them.
static struct polytile_matrix shuffled(int written) {
  for (int i = 0; i < ROWS; i++) {
    owned[i] = malloc(COLUMNS * sizeof(float));
    for (int j = 0; j < COLUMNS; j++)
      owned[i][j] = (float)(100 * i + j);
  }
  for (int i = 0; i < ROWS; i++)
    table[i].row = (char *)(owned[(i * 23 + 5) % ROWS] - FIRST);
  return (struct polytile_matrix){
      .table = (char *)table, .step = sizeof *table, .count = ROWS, .first = {FIRST * 4}, .bytes = {COLUMNS * 4}, .written = written, .pitch = 64};
}

static void drop(void) {
  for (int i = 0; i < ROWS; i++)
    free(owned[i]);
}

static int64_t takes(struct polytile_matrix *m, int64_t count, const struct polytile_range *others, int64_t several) {
  return polytile_rows_apart(m, count, others, several);
}

// A triangle: of row i the columns from 2 * i on, i + 1 of them. Nothing lies between one row's end and the next one's beginning.
static void triangle(void) {
  char room[2 * ROWS * ROWS * 4];
  char *start[ROWS], *next = room;
  for (int i = 0; i < ROWS; i++) {
    start[i] = next - 8 * i;
    next += 4 * (i + 1);
  }
  struct polytile_matrix m = {.table = (char *)start, .step = 8, .count = ROWS, .first = {0, 8}, .bytes = {4, 4}, .written = 1, .pitch = 448};
  check(takes(&m, 1, 0, 0), "a triangle is refused");
  start[ROWS - 1] -= 4;
  check(!takes(&m, 1, 0, 0), "a triangle whose last row is an element too early");
  start[ROWS - 1] += 4;
  m.pitch = 384;
  check(!takes(&m, 1, 0, 0), "a last row that does not fit");
  m.pitch = 448, m.bytes[1] = -4;
  check(!takes(&m, 1, 0, 0), "rows of less than nothing");
}

static void refusals(void) {
  struct polytile_matrix m = shuffled(1), read = m;
  read.written = 0;
  const uint64_t end = (uint64_t)(owned[9] + COLUMNS);
  const struct polytile_range beside[] = {{end, end + 1}, {(uint64_t)owned[9] - 1, (uint64_t)owned[9]}, {end - 4, end - 4}};
  const struct polytile_range within[] = {{0, 1}, {end - 1, end}};
  check(takes(&m, 1, beside, 3) && takes(&read, 1, beside, 3), "ranges beside rows");
  check(!takes(&m, 1, within, 2) && !takes(&read, 1, within, 2), "a range in a row");
  struct polytile_matrix both[] = {m, read}, reads[] = {read, read};
  check(!takes(both, 2, 0, 0) && takes(reads, 2, 0, 0), "rows of two matrices");
  char *last = table[ROWS - 1].row;
  table[ROWS - 1].row = table[0].row + 4 * (COLUMNS - 1);
  check(!takes(&m, 1, 0, 0), "rows that share an element");
  table[ROWS - 1].row = table[0].row;
  check(!takes(&m, 1, 0, 0) && takes(&read, 1, 0, 0), "a row twice");
  table[ROWS - 1].row = (char *)UINTPTR_MAX - 4 * FIRST - 8;
  check(!takes(&m, 1, 0, 0), "a row beyond all addresses");
  table[ROWS - 1].row = last;
  struct polytile_matrix large = m;
  large = m, large.bytes[0] = INT64_MAX - 4;
  check(!takes(&large, 1, 0, 0), "rows without an end");
  large = m, large.bytes[0] += 16;
  check(!takes(&large, 1, 0, 0), "rows longer than their copies");
  large = m, large.count = 0;
  check(!takes(&large, 1, 0, 0), "no rows");
  drop();
}

// Rows where they are: one after the other but for the last, which lies in front, and those of two matrices by turns.
static void in_place(void) {
  enum { BYTES = 40 };
  static char room[(2 * ROWS + 1) * BYTES];
  char *one[ROWS], *other[ROWS];
  for (int i = 0; i < ROWS; i++)
    one[i] = room + (i + 1) % ROWS * BYTES;
  struct polytile_matrix m = {.table = (char *)one, .step = 8, .count = ROWS, .bytes = {BYTES}, .written = 1, .pitch = 64};
  const uint64_t end = (uint64_t)(room + ROWS * BYTES);
  const struct polytile_range behind[] = {{end, end + 8}}, last[] = {{end - 8, end}};
  check(polytile_rows_apart(&m, 1, behind, 1) && !polytile_rows_apart(&m, 1, last, 1), "the last row in front");
  one[3] = one[2] + BYTES - 8;
  check(!polytile_rows_apart(&m, 1, 0, 0), "rows that share an element");
  for (int i = 0; i < ROWS; i++)
    one[i] = room + 2 * i * BYTES, other[i] = one[i] + BYTES;
  struct polytile_matrix both[] = {m, m};
  both[1].table = (char *)other;
  check(polytile_rows_apart(both, 2, 0, 0), "rows by turns");
  other[ROWS - 1] = one[0];
  check(!polytile_rows_apart(both, 2, 0, 0), "a row of both");
  both[1].written = both[0].written = 0;
  check(polytile_rows_apart(both, 2, 0, 0), "a row that both read");
  m.count = 0;
  check(!polytile_rows_apart(&m, 1, 0, 0), "no rows");
}

// Rows that descend, and every fifth of them out of order: as many runs as rows.
static void descending(void) {
  enum { MANY = 101, BYTES = 24 };
  static char room[MANY * BYTES];
  char *rows[MANY];
  for (int i = 0; i < MANY; i++)
    rows[i] = room + (i % 5 ? MANY - 1 - i : i) * BYTES;
  struct polytile_matrix m = {.table = (char *)rows, .step = 8, .count = MANY, .bytes = {BYTES}, .written = 1, .pitch = BYTES};
  check(polytile_rows_apart(&m, 1, 0, 0), "rows that descend");
  for (int i = 0; i < MANY; i += 10) {
    char *const own = rows[i];
    rows[i] = rows[MANY - 1 - i] + 1;
    check(!polytile_rows_apart(&m, 1, 0, 0), "a row in another one");
    rows[i] = own;
  }
}

// Tables in the rows of a table: of row i the entries from i to the last one, three words each of which the second one is the pointer. The
// sanitizer sees each byte beside what is read.
static void through(void) {
  enum { PLANES = 5, ENTRIES = 7, WORDS = 3 };
  char *planes[PLANES], **tables[PLANES];
  for (int64_t i = 0; i < PLANES; i++) {
    tables[i] = malloc((ENTRIES - i) * WORDS * 8);
    planes[i] = (char *)(tables[i] - i * WORDS);
    for (int64_t j = i; j < ENTRIES; j++) {
      tables[i][(j - i) * WORDS + 1] = malloc(COLUMNS * 4);
      tables[i][(j - i) * WORDS + 2] = (char *)COLUMNS;
    }
  }
  //                         plane:  entry 0, step, 0 <= i <= 4        row:  j >= 0, i       j <= 6
  const int64_t numbers[] = {0, 8, 1, 0, 1, PLANES - 1, 8, WORDS * 8, 2, 0, 0, 0, 1, 1, ENTRIES - 1, 0};
  struct polytile_matrix m = {
      .table = (char *)planes, .count = 1, .bytes = {COLUMNS * 4}, .written = 1, .pitch = COLUMNS * 4, .numbers = numbers, .tables = 2};
  check(polytile_rows_counted(&m, 1) == 7 + 6 + 5 + 4 + 3, "rows are counted");
  check(polytile_rows_apart(&m, 1, 0, 0), "rows of tables in tables");
  check(polytile_alike_through(&m, 8, 0, COLUMNS) && !polytile_alike_through(&m, 8, 0, COLUMNS - 1), "lengths are alike");
  for (int64_t i = 0; i < PLANES; i++)
    for (int64_t j = i; j < ENTRIES; j++)
      tables[i][(j - i) * WORDS + 2] = tables[i][(j - i) * WORDS + 1] + COLUMNS * 4;
  check(polytile_alike_through(&m, 8, 1, COLUMNS * 4) && !polytile_alike_through(&m, 8, 1, COLUMNS), "ends are alike");
  tables[3][WORDS + 2] = 0;
  check(!polytile_alike_through(&m, 8, 1, COLUMNS * 4), "one end is another one");
  check(!polytile_alike_through(&m, 8, 0, COLUMNS), "one length is another one");
  char *own = tables[4][1];
  tables[4][1] = tables[0][6 * WORDS + 1];
  check(!polytile_rows_apart(&m, 1, 0, 0), "a row of two planes");
  m.count = 0;
  check(!polytile_rows_counted(&m, 1) && polytile_rows_apart(&m, 1, 0, 0) && polytile_alike_through(&m, 8, 0, 1), "no entries");
  m.count = 1, m.bytes[0] += 4;
  check(!polytile_rows_apart(&m, 1, 0, 0), "rows longer than what is taken for one");
  tables[4][1] = own;
  for (int64_t i = 0; i < PLANES; i++) {
    for (int64_t j = i; j < ENTRIES; j++)
      free(tables[i][(j - i) * WORDS + 1]);
    free(tables[i]);
  }
}

int main(void) {
  in_place();
  descending();
  through();
  triangle();
  refusals();
}
