// The run-time of emitted code: what it calls, and what lies where in memory that both know.
//
// Each file is compiled to bitcode when the plugin is built (codegen/build.rs) and linked into a module that calls one of its
// functions (codegen/src/runtime.rs), as internal functions. So nothing here depends on a target: 64-bit numbers and addresses, no
// structs by value, no library that is not declared here. `tests` in lit/runtime compile the same files by themselves.
//
// | file | subject |
// |---|---|
// | checks.c | what is compared in front of a new version |
// | sweeps.c | pieces of a parallel loop: claimed, run, finished |
// | matrices.c | rows behind pointers, copied to where they lie at one distance |
// | rows.c | rows of tiles that follow each other |
// | threads.c | how many threads a team gets |
// | fork.c | the fork itself, and forks that are left out because the last ones were in vain |
// | inspect.c | whether a region reads what it writes, asked by all threads |
// | sizes.c | tile sizes for a number of threads |
// | select.c | the choice between both versions of a region, measured |
// | table.c | tile sizes from the environment |
// | report.c | switches of the program's user, and the report at its end |
// | verify.c | both versions of a region, one after the other, and whether they leave the same bytes |
#pragma once

#include <stddef.h>
#include <stdint.h>

// The name in emitted code.
#define POLYTILE(name) __asm__("polytile." name)

// Becomes part of its caller.
#define POLYTILE_INLINE __attribute__((always_inline)) inline

// Runs once in a program, or only where a user asks for it: small, and not optimized again in each module (codegen/src/runtime.rs).
#ifdef __clang__
#define POLYTILE_COLD __attribute__((noinline, cold, minsize))
#else
#define POLYTILE_COLD __attribute__((noinline, cold))
#endif

// Numbers that code generation needs: build.rs reads these lines.
#define POLYTILE_BOARD 4224
#define POLYTILE_BOARD_WITH_ROWS 8448
#define POLYTILE_SITE 16
#define POLYTILE_TABLE 16
#define POLYTILE_CHOICE 1024
#define POLYTILE_MATRIX 88
#define POLYTILE_REGION 104
#define POLYTILE_EXTENT 32
#define POLYTILE_LEFT 16
#define POLYTILE_REFUSED_CONDITION 1
#define POLYTILE_REFUSED_OVERLAP 2
#define POLYTILE_REFUSED_ROWS 3
#define POLYTILE_REFUSED_THREADS 4
#define POLYTILE_REFUSED_MEMORY 5
#define POLYTILE_REFUSED_WORK 6
#define POLYTILE_REFUSED_DISABLED 0
#define POLYTILE_RAN 7

enum {
  POLYTILE_SHARES = 32, // the most shares that a range is cut into; further threads only help others
  POLYTILE_WINDOW = 64, // rows that may be under way at the same time
  POLYTILE_CLASSES = 16, // classes of work that are measured each by itself
  POLYTILE_REASONS = 7,
};

// Counters of a row of tiles.
struct polytile_row {
  int64_t state;    // 4 * (row / WINDOW), and 1 while a thread has it, 2 when no tile is left
  int64_t progress; // its last finished tile + 2^63, 0 before the first
  char apart[48];
};

// What a team has claimed and finished. No two counters lie in one pair of cache lines, and none crosses a line wherever the board
// lies: a stack slot beyond the alignment of the stack would cost the function registers, also where the original loops run.
struct polytile_board {
  int64_t done; // pieces finished since the fork
  char apart[56];
  int64_t waited; // how long the thread that forked has waited for pieces of others; only that thread looks at it
  char apart_too[56];
  struct {
    int64_t next; // sweep * 2^16 + pieces of the share claimed in that sweep; an older sweep: none in this one
    char apart[120];
  } shares[POLYTILE_SHARES];
  // In a board with rows:
  int64_t low; // rows finished since the fork, in all pipelines of the team; they finish in order
  char apart_as_well[120];
  struct polytile_row rows[POLYTILE_WINDOW];
};
_Static_assert(offsetof(struct polytile_board, low) == POLYTILE_BOARD, "a board without rows");
_Static_assert(sizeof(struct polytile_board) == POLYTILE_BOARD_WITH_ROWS, "a board with rows");

// A place that forks.
struct polytile_site {
  int64_t left;    // forks that are still to be left out
  int64_t backoff; // how many that were the last time
};
_Static_assert(sizeof(struct polytile_site) == POLYTILE_SITE, "a place that forks");

// The beginning of what a team's function is given.
struct polytile_context {
  int64_t first;
  int64_t ended; // when the thread that forked had nothing left to do
  int64_t error; // errno of a thread that has one
};

// What the runs of a region's versions came to, for a class of work; [1] is the new version.
struct polytile_trial {
  int64_t decided; // 0, or the version that stays: 1 the original, 2 the new one
  int64_t runs[2];
  int64_t best[2]; // the least time per work; 0 before the first run
  int64_t spent;   // time of all runs
  int64_t lost;    // what runs of the version that is not preferred took longer
  char apart[8];
};

struct polytile_choice {
  struct polytile_trial trials[POLYTILE_CLASSES];
};
_Static_assert(sizeof(struct polytile_choice) == POLYTILE_CHOICE, "what is known about a region");

// Rows behind pointers: what a nest accesses of them. All distances in bytes.
struct polytile_matrix {
  const char *table; // the pointer to the first row
  int64_t step;      // from that to the pointer to the next
  int64_t count;     // rows
  int64_t first[2];  // from where a pointer points to what is accessed: of the first row, and more with each row
  int64_t bytes[2];  // what is accessed of a row, likewise
  int64_t written;   // whether anything is
  int64_t pitch;     // all that is accessed of a row lies before
  // Where the pointers lie in the rows of other tables: how many tables there are on the way, and for each of them, outermost first, bytes to
  // entry 0, bytes from an entry to the next, and bounds of the entries' numbers: how many lower ones, each a constant and a factor for each
  // number before, then the upper ones. Then `count` is 1, or 0 if there are no entries, and each row's bytes are the first's.
  const int64_t *numbers;
  int64_t tables;
};
_Static_assert(sizeof(struct polytile_matrix) == POLYTILE_MATRIX, "a matrix");

// Memory that rows must not share.
struct polytile_range {
  uint64_t first, end;
};

// The same as sums that no number of 64 bits overflows.
struct polytile_extent {
  __int128 first __attribute__((packed, aligned(8)));
  __int128 end __attribute__((packed, aligned(8)));
};
_Static_assert(sizeof(struct polytile_extent) == POLYTILE_EXTENT, "bytes of an array");

// What a region remembers that the program may leave early.
struct polytile_left {
  int64_t wait; // runs of the original until the new version is tried again
  int64_t last; // so many they were after the last try in vain
};
_Static_assert(sizeof(struct polytile_left) == POLYTILE_LEFT, "what is remembered of tries");

// What a program tells about a region at its end. Code generation fills in the first two fields.
struct polytile_region {
  const char *place; // file, line and function
  int64_t counted;   // whether all entries are, or only those with enough work
  int64_t runs;      // of the new version
  int64_t time;      // of these, in nanoseconds
  int64_t entries;   // into both versions together, where they are counted
  int64_t whole;     // the time of these
  int64_t refused[POLYTILE_REASONS];
};
_Static_assert(sizeof(struct polytile_region) == POLYTILE_REGION, "what is told about a region");

// What the OpenMP runtime starts on each thread.
typedef void polytile_task(int32_t *thread, int32_t *own, struct polytile_context *context);

// What finds out whether one of these ranges is read, in a part of the iterations.
typedef uint64_t polytile_inspector(const uint64_t *inputs, const struct polytile_range *written, uint64_t part, uint64_t parts);

// checks.c
int64_t polytile_apart(const struct polytile_extent *, const uint64_t *with, int64_t count) POLYTILE("apart");
int64_t polytile_alike(const char *table, int64_t last, int64_t step, int64_t back, uint64_t word) POLYTILE("alike");
int64_t polytile_in_line(const char *table, int64_t last, int64_t step, uint64_t row, uint64_t distance) POLYTILE("in_line");

// inspect.c
int64_t polytile_inspect(struct polytile_site[2], int64_t threads, polytile_inspector *, const uint64_t *inputs,
                         const struct polytile_range *written) POLYTILE("inspect");

// sweeps.c
int64_t polytile_shares(int64_t threads) POLYTILE("shares");
int64_t polytile_pieces(int64_t trips, int64_t shares, int64_t several) POLYTILE("pieces");
int64_t polytile_pieces_in_order(int64_t trips, int64_t several) POLYTILE("pieces.in_order");
int64_t polytile_trips(int64_t first, int64_t last, int64_t step) POLYTILE("trips");
int64_t polytile_edge(int64_t first, int64_t step, int64_t trips, int64_t at, int64_t total) POLYTILE("edge");
int64_t polytile_claim(struct polytile_board *, int64_t own, int64_t sweep, int64_t shares, int64_t pieces) POLYTILE("claim");
void polytile_finish(struct polytile_board *, int64_t finished, int64_t goal, int64_t own) POLYTILE("finish");

// rows.c
int64_t polytile_row(struct polytile_board *, int64_t base, int64_t total) POLYTILE("row");
int64_t polytile_row_next(struct polytile_board *, int64_t row, int64_t first, int64_t step) POLYTILE("row.next");
int64_t polytile_row_may(struct polytile_board *, int64_t row, int64_t tile) POLYTILE("row.may");
void polytile_row_note(struct polytile_board *, int64_t row, int64_t tile) POLYTILE("row.note");
void polytile_row_end(struct polytile_board *, int64_t row) POLYTILE("row.end");
void polytile_row_leave(struct polytile_board *, int64_t row) POLYTILE("row.leave");

// matrices.c
int64_t polytile_alike_through(const struct polytile_matrix *, int64_t behind, int64_t distance, uint64_t word)
    POLYTILE("alike_through");
int64_t polytile_rows_counted(const struct polytile_matrix *, int64_t count) POLYTILE("rows_counted");
int64_t polytile_rows_apart(const struct polytile_matrix *, int64_t count, const struct polytile_range *others, int64_t several)
    POLYTILE("rows_apart");

// threads.c
int64_t polytile_threads(int64_t work, int64_t pace) POLYTILE("threads");
int64_t polytile_threads_oversubscribed(int64_t work, int64_t pace) POLYTILE("threads.oversubscribed");
int64_t polytile_team_size(void) POLYTILE("team_size");
void *polytile_probe(void *more) POLYTILE("probe");

// fork.c
int64_t polytile_fork(struct polytile_site *, int64_t threads, polytile_task *, struct polytile_context *,
                      struct polytile_board *, int64_t bytes) POLYTILE("fork");
void polytile_over(struct polytile_context *, int64_t own) POLYTILE("over");
int64_t polytile_fork_with_errno(struct polytile_site *, int64_t threads, polytile_task *, struct polytile_context *,
                                 struct polytile_board *, int64_t bytes) POLYTILE("fork.with_errno");
void polytile_errno_begin(void) POLYTILE("errno.begin");
void polytile_errno_end(struct polytile_context *) POLYTILE("errno.end");

// sizes.c
int64_t polytile_size(int64_t lower, int64_t upper, int64_t threads, int64_t most, int64_t multiple) POLYTILE("size");
int64_t polytile_size_of_row(int64_t lower, int64_t upper, int64_t threads, int64_t most, int64_t multiple)
    POLYTILE("size.of_row");

// table.c
int64_t polytile_size_given(int64_t parameter, int64_t otherwise, int64_t multiple) POLYTILE("size.given");

// select.c
int64_t polytile_select_begin(struct polytile_choice *, int64_t work, int64_t preferred) POLYTILE("select.begin");
void polytile_select_note(struct polytile_choice *, int64_t work, int64_t preferred, int64_t ticket) POLYTILE("select.note");
void polytile_select_end(struct polytile_choice *, int64_t work, int64_t preferred, int64_t ticket) POLYTILE("select.end");

// report.c
int64_t polytile_report_enter(void) POLYTILE("report.enter");
int64_t polytile_report_asked(void) POLYTILE("report.asked");
void polytile_report_note(struct polytile_region *, int64_t ticket, int64_t reason) POLYTILE("report.note");
void polytile_report_count(struct polytile_region *, int64_t ticket, int64_t reason) POLYTILE("report.count");
int64_t polytile_report_begin(void) POLYTILE("report.begin");
void polytile_report_end(struct polytile_region *, int64_t began) POLYTILE("report.end");
void polytile_report_entry(struct polytile_region *, int64_t began) POLYTILE("report.entry");

// intact.c
int64_t polytile_intact_readable(const struct polytile_extent *, int64_t count) POLYTILE("intact.readable");
int64_t polytile_intact_rows(const struct polytile_matrix *, int64_t count) POLYTILE("intact.rows");
int64_t polytile_intact_begin(struct polytile_left *, const struct polytile_extent *, int64_t count, int64_t *state) POLYTILE("intact.begin");
void polytile_intact_end(struct polytile_left *, int64_t state) POLYTILE("intact.end");

// verify.c
int64_t polytile_verify_keep(const struct polytile_extent *ranges, int64_t count, int64_t scalars, const char *place)
    POLYTILE("verify.keep");
void polytile_verify_hand_over(int64_t kept, int64_t bits) POLYTILE("verify.hand_over");
void polytile_verify_put_aside(int64_t kept) POLYTILE("verify.put_aside");
void polytile_verify_scalar(int64_t kept, int64_t bits, const char *place) POLYTILE("verify.scalar");
void polytile_verify_compare(int64_t kept, const char *place) POLYTILE("verify.compare");
