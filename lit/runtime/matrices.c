// Rows behind pointers as matrices, by themselves: what is copied and written back, that no other byte is touched, and what is refused.
// RUN: gcc -std=gnu11 -O1 -g -Wall -Wextra -fsanitize=address,undefined %s -o %t && %t
#include "../../codegen/runtime/matrices.c"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 37, COLUMNS = 11, FIRST = 2, MUCH = 1 << 30 };
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
      .table = (char *)table, .step = sizeof *table, .count = ROWS, .first = {FIRST * 4}, .bytes = {COLUMNS * 4}, .element = 4, .written = written, .pitch = 64};
}

static void drop(void) {
  for (int i = 0; i < ROWS; i++)
    free(owned[i]);
}

static float *copied(struct polytile_matrix *m, int row) { return (float *)(m->copy + row * m->pitch) + FIRST; }

static void there_and_back(int written) {
  struct polytile_matrix m = shuffled(written);
  const int64_t block = polytile_gather(&m, 1, 0, 0, MUCH);
  check(block != 0, "refused");
  check((intptr_t)m.copy % 64 == 0, "where the copies begin");
  for (int i = 0; i < ROWS; i++)
    check(!memcmp(copied(&m, i), owned[(i * 23 + 5) % ROWS], COLUMNS * 4), "a copy");
  for (int i = 0; i < ROWS; i += 2)
    copied(&m, i)[i % COLUMNS] = -1;
  // What the program has not changed stays with who changes it meanwhile.
  owned[5][COLUMNS - 1] = 7;
  polytile_scatter(&m, 1, block);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      const int row = (i * 23 + 5) % ROWS;
      const float was = row == 5 && j == COLUMNS - 1 ? 7 : (float)(100 * row + j);
      check(row == 5 || owned[row][j] == (written && i % 2 == 0 && j == i % COLUMNS ? -1 : was), "what came back");
    }
  check(!written || (owned[5][0] == -1 && owned[5][1] == 501), "what changed");
  drop();
}

// A triangle: of row i the columns from 2 * i on, i + 1 of them.
static void triangle(void) {
  char *start[ROWS];
  for (int i = 0; i < ROWS; i++) {
    owned[i] = malloc((i + 1) * sizeof(float));
    for (int j = 0; j <= i; j++)
      owned[i][j] = (float)(i * j);
    start[i] = (char *)owned[i] - 8 * i;
  }
  struct polytile_matrix m = {.table = (char *)start, .step = 8, .count = ROWS, .first = {0, 8}, .bytes = {4, 4}, .element = 4, .written = 1, .pitch = 448};
  const int64_t block = polytile_gather(&m, 1, 0, 0, MUCH);
  check(block != 0, "a triangle is refused");
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j <= i; j++) {
      float *element = (float *)(m.copy + i * m.pitch + 8 * i) + j;
      check(*element == (float)(i * j), "a copy of a triangle");
      *element += (float)(j == i);
    }
  polytile_scatter(&m, 1, block);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j <= i; j++)
      check(owned[i][j] == (float)(i * j + (i == j)), "a triangle");
  m.pitch = 384;
  check(!polytile_gather(&m, 1, 0, 0, MUCH), "a last row that does not fit");
  m.pitch = 448, m.bytes[1] = -4;
  check(!polytile_gather(&m, 1, 0, 0, MUCH), "rows of less than nothing");
  drop();
}

static int64_t takes(struct polytile_matrix *m, int64_t count, const struct polytile_range *others, int64_t several, int64_t work) {
  const int64_t block = polytile_gather(m, count, others, several, work);
  free((void *)block);
  return block != 0;
}

static void refusals(void) {
  struct polytile_matrix m = shuffled(1), read = m;
  read.written = 0;
  const int64_t bytes = ROWS * 64;
  check(takes(&m, 1, 0, 0, bytes * WORTH) && !takes(&m, 1, 0, 0, bytes * WORTH - 1) && !takes(&m, 1, 0, 0, -1), "the work");
  const uint64_t end = (uint64_t)(owned[9] + COLUMNS);
  const struct polytile_range beside[] = {{end, end + 1}, {(uint64_t)owned[9] - 1, (uint64_t)owned[9]}, {end - 4, end - 4}};
  const struct polytile_range within[] = {{0, 1}, {end - 1, end}};
  check(takes(&m, 1, beside, 3, MUCH) && takes(&read, 1, beside, 3, MUCH), "ranges beside rows");
  check(!takes(&m, 1, within, 2, MUCH) && !takes(&read, 1, within, 2, MUCH), "a range in a row");
  struct polytile_matrix both[] = {m, read}, reads[] = {read, read};
  check(!takes(both, 2, 0, 0, MUCH) && takes(reads, 2, 0, 0, MUCH), "rows of two matrices");
  char *last = table[ROWS - 1].row;
  table[ROWS - 1].row = table[0].row + 4 * (COLUMNS - 1);
  check(!takes(&m, 1, 0, 0, MUCH), "rows that share an element");
  table[ROWS - 1].row = table[0].row;
  check(!takes(&m, 1, 0, 0, MUCH) && takes(&read, 1, 0, 0, MUCH), "a row twice");
  table[ROWS - 1].row = (char *)UINTPTR_MAX - 4 * FIRST - 8;
  check(!takes(&m, 1, 0, 0, MUCH), "a row beyond all addresses");
  table[ROWS - 1].row = last;
  struct polytile_matrix large = m;
  large.count = INT64_MAX / 64;
  check(!takes(&large, 1, 0, 0, INT64_MAX), "more than there is");
  large = m, large.bytes[0] = INT64_MAX - 4;
  check(!takes(&large, 1, 0, 0, INT64_MAX), "rows without an end");
  large = m, large.bytes[0] += 16;
  check(!takes(&large, 1, 0, 0, MUCH), "rows longer than their copies");
  large = m, large.count = 0;
  check(!takes(&large, 1, 0, 0, INT64_MAX), "no rows");
  polytile_scatter(&m, 1, 0);
  drop();
}

int main(void) {
  there_and_back(1);
  there_and_back(0);
  triangle();
  refusals();
}
