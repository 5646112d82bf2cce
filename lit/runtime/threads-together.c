// The run-time by itself, on real threads under a sanitizer: sweeps whose pieces are claimed, and rows of tiles that follow each
// other. What a thread reads must have been written before, and each piece and each tile runs once. Everything that orders is in
// the run-time: the arrays are plain memory.
// REQUIRES: thread-sanitizer
// RUN: gcc -std=gnu11 -O1 -g -fsanitize=thread -DPOLYTILE_PATIENCE=20 %s -o %t -lpthread
// RUN: %t 1 && %t 2 && %t 3 && %t 5
// The sanitizer would see it: with nothing released there are races.
// RUN: gcc -std=gnu11 -O1 -g -w -fsanitize=thread -U__ATOMIC_RELEASE -D__ATOMIC_RELEASE=0 -DPOLYTILE_PATIENCE=20 %s -o %t.relaxed -lpthread
// RUN: not %t.relaxed 3 2>&1 | FileCheck %s
// CHECK: WARNING: ThreadSanitizer: data race
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../codegen/runtime/rows.c"
#include "../../codegen/runtime/sweeps.c"

enum { N = 301, STEPS = 40, ROWS = 150, TILES = 9 };
static struct polytile_board board;
static int64_t count;
static pthread_barrier_t start;
static uint64_t a[N], b[N], tile[2 * ROWS + 1][TILES + 1];
static int64_t runs[2 * ROWS][TILES];

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

// As codegen/src/team.rs emits a sweep.
static void sweep(int64_t own, int64_t *number, int64_t *goal, int in_order, uint64_t *to, const uint64_t *from) {
  const int64_t shares = in_order ? 1 : polytile_shares(count);
  const int64_t trips = polytile_trips(1, N - 2, 1);
  const int64_t pieces = in_order ? polytile_pieces_in_order(trips, 1) : polytile_pieces(trips, shares, 1);
  const int64_t total = shares * pieces;
  int64_t done = 0;
  *goal += total;
  for (int64_t at; (at = polytile_claim(&board, own, *number, shares, pieces)) >= 0; done++) {
    const int64_t first = polytile_edge(1, 1, trips, at, total), end = polytile_edge(1, 1, trips, at + 1, total);
    for (int64_t i = first; i < end; i++)
      to[i] = from[i - 1] + 2 * from[i] + from[i + 1] + 1;
    sched_yield();
  }
  polytile_finish(&board, done, *goal, own);
  ++*number;
}

// As codegen/src/rows.rs emits rows and their tiles.
static void rows(int64_t base) {
  for (int64_t row; (row = polytile_row(&board, base, ROWS)) >= 0;) {
    int64_t j = polytile_row_next(&board, row, 0, 1);
    for (; j < TILES; j++) {
      if (!polytile_row_may(&board, row, j))
        break;
      tile[row + 1][j + 1] = 3 * tile[row][j + 1] + tile[row + 1][j] + tile[row][j] + 1;
      runs[row][j]++;
      polytile_row_note(&board, row, j);
      sched_yield();
    }
    if (j < TILES)
      polytile_row_leave(&board, row);
    else
      polytile_row_end(&board, row);
  }
}

static void *team(void *number) {
  const int64_t own = (int64_t)(intptr_t)number;
  int64_t sweeps = 0, goal = 0;
  pthread_barrier_wait(&start);
  for (int s = 0; s < STEPS; s++) {
    sweep(own, &sweeps, &goal, s % 3 == 0, b, a);
    sweep(own, &sweeps, &goal, 0, a, b);
  }
  rows(0);
  rows(ROWS);
  return 0;
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t threads[8];
  pthread_barrier_init(&start, 0, (unsigned)count);
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i % 5;
  for (int64_t i = 1; i < count; i++)
    check(!pthread_create(&threads[i], 0, team, (void *)(intptr_t)i), "a thread");
  team(0);
  for (int64_t i = 1; i < count; i++)
    pthread_join(threads[i], 0);

  uint64_t x[N], y[N];
  for (int i = 0; i < N; i++)
    x[i] = y[i] = i % 5;
  for (int s = 0; s < STEPS; s++) {
    for (int i = 1; i < N - 1; i++)
      y[i] = x[i - 1] + 2 * x[i] + x[i + 1] + 1;
    for (int i = 1; i < N - 1; i++)
      x[i] = y[i - 1] + 2 * y[i] + y[i + 1] + 1;
  }
  for (int i = 0; i < N; i++)
    check(a[i] == x[i] && b[i] == y[i], "a sweep differs");
  static uint64_t plain[2 * ROWS + 1][TILES + 1];
  for (int r = 0; r < 2 * ROWS; r++)
    for (int j = 0; j < TILES; j++) {
      plain[r + 1][j + 1] = 3 * plain[r][j + 1] + plain[r + 1][j] + plain[r][j] + 1;
      check(plain[r + 1][j + 1] == tile[r + 1][j + 1], "a tile differs");
      check(runs[r][j] == 1, "a tile ran twice or not at all");
    }
  check(board.low == 2 * ROWS, "rows are left");
}
