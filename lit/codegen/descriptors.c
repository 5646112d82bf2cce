// Descriptions of arrays beside the arrays: bounds and extents are read once, each description is compared as one range, and a store that
// changes a description while the nest runs leaves it to the original.
// RUN: env POLYTILE='min-work=0;parallel-min-us=0' %clang -O3 -march=native -fopenmp -fno-strict-aliasing -Rpass=polytile %s -o %t 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -fno-strict-aliasing %s -o %t.plain
// RUN: env OMP_NUM_THREADS=2 %t > %t.out
// RUN: %t.plain > %t.plain.out
// RUN: cmp %t.out %t.plain.out
#include <stdio.h>
#include <string.h>

typedef struct {
  long *base;
  long unused[2];
  struct {
    long low, extent;
  } dim[2];
  long behind;
} array;

#define AT(a, i, j) (a)->base[(i) - (a)->dim[1].low + (a)->dim[1].extent * ((j) - (a)->dim[0].low)]

// CHECK: descriptors.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} 3 pairs of arrays apart
__attribute__((noinline)) void add(array *to, const array *from, int n, int m) {
  for (int j = 1; j <= m; j++)
    for (int i = 1; i <= n; i++)
      AT(to, i, j) = AT(from, i, j) * 2 + i;
}

static long memory[2][64 * 64];

static unsigned long hash(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 64 * 64; i++)
    sum = sum * 31 + (unsigned long)memory[0][i] * 7 + (unsigned long)memory[1][i];
  return sum;
}

static void set(array *a, long *base, long low, long extent) {
  *a = (array){base, {5, 6}, {{low, 9}, {low, extent}}, 7};
}

// Where the arrays lie is no result.
static unsigned long hash_without(array *a) {
  for (int k = 0; k < 2; k++)
    if (a->base >= memory[k] && a->base < memory[k] + 64 * 64)
      a->base = (long *)(a->base - memory[k] + 64 * 64 * k);
  return hash();
}

int main(void) {
  for (int i = 0; i < 64 * 64; i++) {
    memory[0][i] = i % 17;
    memory[1][i] = i % 13;
  }
  array to, from;
  for (long low = -1; low <= 1; low++)
    for (int n = 0; n <= 40; n += 20) {
      set(&to, memory[0], low, 50);
      set(&from, memory[1] + 64, low - 2, 51);
      add(&to, &from, n, 40);
      printf("%lx\n", hash());
    }
  // A row that is too short: the next one begins in it.
  set(&to, memory[0], 1, 7);
  add(&to, &from, 20, 20);
  printf("%lx\n", hash());
  // The operand's description lies in the result: right in front of what is written, in it word by word, in its last row, and behind it.
  for (int word = -10; word <= 12; word++) {
    memset(memory, 0, sizeof memory);
    array *inside = (array *)&memory[0][128 + word];
    set(&to, memory[0] + 128, 1, 10);
    set(inside, memory[1], 1, 10);
    add(&to, inside, 1, 1);
    printf("%lx\n", hash_without(inside));
  }
  // Its own description too.
  for (int word = 0; word < 12; word++) {
    memset(memory, 0, sizeof memory);
    array *inside = (array *)&memory[0][128 - word];
    set(&from, memory[1], 1, 10);
    set(inside, memory[0] + 128, 1, 10);
    if (word == 0 || word > 7)
      add(inside, &from, 1, 0);
    else
      add(inside, &from, 0, 1);
    printf("%lx\n", hash_without(inside));
  }
}
