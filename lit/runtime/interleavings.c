// The run-time by itself, in every order of its steps with a few switches from one thread to another: each atomic operation is a
// place where another thread may go on. Each piece and each tile runs once, after what it needs, and all threads come to their end,
// also where one waits too long and leaves its row.
// RUN: %plainclang -std=gnu11 -O1 -g -Wall %s -o %t && %t
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
static void point(int writes);
static void paused(void);
#define POLYTILE_POINT(place, writes) point(writes)
#define POLYTILE_PAUSE() paused()
#define POLYTILE_PATIENCE 1
#include "../../codegen/runtime/rows.c"
#include "../../codegen/runtime/sweeps.c"

enum { MOST = 3, SWITCHES = 2, STEPS = 4000 };
static int threads;
static ucontext_t first, contexts[MOST];
static jmp_buf scheduler, places[MOST]; // switches without system calls
static char stacks[MOST][1 << 16];
static int started[MOST], over[MOST], waits[MOST], current;
static long writes, seen[MOST];

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

static void switch_away(void) {
  if (!_setjmp(places[current]))
    _longjmp(scheduler, 1);
}

static void point(int is_write) {
  writes += is_write;
  switch_away();
}

// Goes on when another thread has written something, or when nobody else can.
static void paused(void) {
  waits[current] = 1, seen[current] = writes;
  switch_away();
  waits[current] = 0;
}

// The choices of a run, and how many there were at each.
static int chosen[STEPS], among[STEPS], depth;

static int choose(int options) {
  check(depth < STEPS, "a thread does not come to its end");
  among[depth] = options;
  return chosen[depth++];
}

// The thread that goes on: the last one, or, as long as switches are left, another one.
static int next_thread(int last, int *switches) {
  int can[MOST], count = 0, goes_on = 0;
  for (int woken = 0; woken < 2 && !count; woken++) {
    for (int i = 0; i < threads; i++) {
      const int t = (last + i) % threads;
      if (!over[t] && (woken || !waits[t] || seen[t] != writes)) {
        goes_on |= t == last;
        can[count++] = t;
      }
    }
  }
  if (!count)
    return -1;
  const int options = goes_on && *switches == 0 ? 1 : count, at = choose(options);
  *switches -= goes_on && at > 0;
  return can[at];
}

static struct polytile_board board;
static void (*body)(int own);
static void start(int own) {
  body(own);
  over[own] = 1;
  _longjmp(scheduler, 1);
}

static void run(void) {
  board = (struct polytile_board){0};
  writes = depth = 0;
  for (int t = 0; t < threads; t++) {
    started[t] = over[t] = waits[t] = 0;
    getcontext(&contexts[t]);
    contexts[t].uc_stack.ss_sp = stacks[t];
    contexts[t].uc_stack.ss_size = sizeof stacks[t];
    makecontext(&contexts[t], (void (*)(void))start, 1, t);
  }
  static int switches;
  switches = SWITCHES;
  current = 0;
  while ((current = next_thread(current, &switches)) >= 0) {
    if (_setjmp(scheduler))
      continue;
    if (started[current])
      _longjmp(places[current], 1);
    started[current] = 1;
    swapcontext(&first, &contexts[current]);
  }
}

// All runs: the last choice that has another one is taken again.
static long all(int count, void (*what)(int), void (*reset)(void), void (*done)(void)) {
  threads = count, body = what;
  for (int i = 0; i < STEPS; i++)
    chosen[i] = 0;
  for (long runs = 1;; runs++) {
    reset();
    run();
    done();
    int at = depth - 1;
    while (at >= 0 && chosen[at] + 1 >= among[at])
      at--;
    if (at < 0)
      return runs;
    chosen[at]++;
    for (int i = at + 1; i < STEPS; i++)
      chosen[i] = 0;
  }
}

// Three sweeps of two pieces a thread; a piece comes when all of the sweep before are finished.
enum { SWEEPS = 3 };
static int pieces_done[SWEEPS], piece[SWEEPS][2 * MOST];
static void sweeps(int own) {
  const int64_t total = 2 * threads;
  for (int64_t s = 0; s < SWEEPS; s++) {
    int64_t mine = 0;
    for (int64_t at; (at = polytile_claim(&board, own, s, threads, 2)) >= 0; mine++) {
      check(at < total && !piece[s][at]++, "a piece is claimed twice");
      check(s == 0 || pieces_done[s - 1] == total, "a piece comes too early");
      point(0);
      pieces_done[s]++;
    }
    polytile_finish(&board, mine, (s + 1) * total, own);
    check(pieces_done[s] == total, "a thread goes on too early");
  }
}
static void reset_sweeps(void) {
  for (int s = 0; s < SWEEPS; s++) {
    pieces_done[s] = 0;
    for (int i = 0; i < 2 * MOST; i++)
      piece[s][i] = 0;
  }
}
static void sweeps_done(void) { check(pieces_done[SWEEPS - 1] == 2 * threads, "pieces are left"); }

// Rows of two tiles.
enum { ROWS = 3, TILES = 2 };
static int tiles[ROWS][TILES], leaves;
static void rows(int own) {
  for (int64_t row; (row = polytile_row(&board, 0, ROWS)) >= 0;) {
    int64_t j = polytile_row_next(&board, row, 0, 1);
    for (; j < TILES && polytile_row_may(&board, row, j); j++) {
      check(!tiles[row][j], "a tile runs twice");
      check(row == 0 || tiles[row - 1][j] == 2, "the tile above is not finished");
      check(j == 0 || tiles[row][j - 1] == 2, "the tile in front is not finished");
      tiles[row][j] = 1;
      point(0);
      tiles[row][j] = 2;
      polytile_row_note(&board, row, j);
    }
    if (j < TILES)
      leaves++, polytile_row_leave(&board, row);
    else
      polytile_row_end(&board, row);
  }
}
static void reset_rows(void) {
  for (int r = 0; r < ROWS; r++)
    for (int j = 0; j < TILES; j++)
      tiles[r][j] = 0;
}
static void rows_done(void) {
  for (int r = 0; r < ROWS; r++)
    for (int j = 0; j < TILES; j++)
      check(tiles[r][j] == 2, "tiles are left");
  check(board.low == ROWS, "rows are left");
}

int main(void) {
  const long two = all(2, sweeps, reset_sweeps, sweeps_done), beside = all(2, rows, reset_rows, rows_done);
  check(two > 1000 && beside > 1000, "hardly any orders");
  check(leaves > 0, "no row was left");
  printf("%ld orders of sweeps, %ld of rows, %d rows left\n", two, beside, leaves);
}
