// How many threads a program gets, and what becomes of one that cannot have them: the same bytes, and not a word on the
// terminal. No more than there are processors, none beyond a limit of threads, none where no thread can be created, one inside of
// a parallel region; in threads with small stacks, after a fork, and in many threads at once.
// RUN: %plainclang -O1 -march=native %s -o %t.plain -lpthread && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.new -lpthread -Rpass=polytile 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1000 %t.new 2>&1 | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=64 OMP_DYNAMIC=true %t.new 2>&1 | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 OMP_THREAD_LIMIT=1 %t.new 2>&1 | cmp - %t.expected
// RUN: env OMP_THREAD_LIMIT=1 %t.new 2>&1 | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=2 %t.new limited 2>&1 | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %clang -O3 -march=native -fopenmp %s -o %t.forced -lpthread
// RUN: env OMP_NUM_THREADS=7 %t.forced 2>&1 | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=7 %t.forced limited 2>&1 | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=7 OMP_THREAD_LIMIT=3 %t.forced 2>&1 | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=4 %t.forced inside 2>&1 | cmp - %t.expected
// CHECK: loop nest transformed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define N 160
struct work {
  double a[N][N], b[N][N], c[N][N], x[N][N], y[N][N];
};

__attribute__((noinline)) static void product(double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline)) static void sweeps(int steps, double (*restrict x)[N], double (*restrict y)[N]) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        y[i][j] = 0.2 * (x[i][j] + x[i][j - 1] + x[i][j + 1] + x[i - 1][j] + x[i + 1][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        x[i][j] = 0.2 * (y[i][j] + y[i][j - 1] + y[i][j + 1] + y[i - 1][j] + y[i + 1][j]);
  }
}

static void fill(struct work *w) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      w->a[i][j] = i % 7 + j * 0.5, w->b[i][j] = j % 5 - i * 0.25;
      w->c[i][j] = 0, w->x[i][j] = i * j % 11, w->y[i][j] = 0;
    }
}

static void *run(void *data) {
  struct work *w = data;
  product(w->c, w->a, w->b);
  sweeps(20, w->x, w->y);
  return 0;
}

static void tell(const char *where, const struct work *w) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = sum * 0.75 + w->c[i][j] + w->x[i][j];
  printf("%s %a\n", where, sum);
  fflush(stdout);
}

// From now on there is no room for a stack of a thread that has not said how small it is.
static void limit(void) {
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld", &pages) != 1)
    exit(1);
  fclose(f);
  struct rlimit most;
  getrlimit(RLIMIT_AS, &most);
  most.rlim_cur = (rlim_t)pages * 4096 + (2 << 20);
  if (setrlimit(RLIMIT_AS, &most))
    exit(1);
}

static struct work all[8];
int main(int count, char **arguments) {
  const int limited = count > 1 && !strcmp(arguments[1], "limited"), inside = count > 1 && !limited;
  (void)inside;
  if (limited)
    limit();
  for (int i = 0; i < 8; i++)
    fill(&all[i]);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384);
  for (int times = 0; times < 2; times++) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
      if (pthread_create(&threads[i], &small, run, &all[i]))
        return 1;
    for (int i = 0; i < 8; i++)
      pthread_join(threads[i], 0);
    for (int i = 0; i < 8; i++)
      tell("thread", &all[i]);
  }
  for (int i = 0; i < 40; i++)
    run(&all[0]);
  tell("main", &all[0]);
  const pid_t child = fork();
  if (child == 0) {
    run(&all[0]);
    tell("child", &all[0]);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("%d\n", status);
  run(&all[0]);
  tell("parent", &all[0]);
#ifdef _OPENMP
#pragma omp parallel num_threads(2) if (inside)
#pragma omp single
#endif
  run(&all[1]);
  tell("inside", &all[1]);
  return 0;
}
