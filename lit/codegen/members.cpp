// Several nests whose sizes are members: where a store might change them, they are loaded again in each iteration, and redundancy
// elimination merges the loads of one nest with those of the next. Each nest holds what it finds in front of it; a store that does
// hit a member runs the original.
// RUN: %clangxx -O3 -march=x86-64-v3 -fno-strict-aliasing -fopenmp -g1 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -fno-strict-aliasing -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -fno-strict-aliasing -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK-DAG: members.cpp:28:{{.*}}loop nest transformed
// CHECK-DAG: members.cpp:33:{{.*}}loop nest transformed
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct Cell {
  double a, b;
};
struct Grid {
  int w, g;
  Cell *v;
  Cell &operator()(int i, int j) { return v[(j + g) * (w + 2 * g) + i + g]; }
};
struct Field {
  int n;
  Grid f, u, g;
  __attribute__((noinline)) void fluxes();
  __attribute__((noinline)) void until(int *count);
};
void Field::fluxes() {
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= n; i++) {
      Cell l = u(i - 1, j), r = u(i, j);
      f(i, j) = {l.a + r.b, l.b * r.a};
    }
  for (int j = 0; j <= n; j++)
    for (int i = 0; i < n; i++) {
      Cell l = u(i, j - 1), r = u(i, j);
      g(i, j) = {l.a - r.b, l.b + r.a};
    }
}
// A nest that changes what bounds the next one.
void Field::until(int *count) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      f(i, j).a += 1;
  *count -= 3;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      g(i, j).b += f(i, j).a;
}
#ifdef MAIN
static void fill(Cell *at, long cells) {
  for (long i = 0; i < cells; i++)
    at[i] = {double(i * 37 % 101) * .25, double(i * 53 % 97)};
}
static void show(const Cell *at, long cells, int n) {
  double s = 0;
  for (long i = 0; i < cells; i++)
    s = s * .75 + at[i].a - at[i].b * .5;
  printf("%d %a\n", n, s);
}
int main() {
  for (int n = -1; n < 40; n += n < 4 ? 1 : 11) {
    long cells = (n + 6) * (n + 6);
    Cell *memory = (Cell *)malloc(3 * cells * sizeof(Cell));
    fill(memory, 3 * cells);
    Field x = {n, {n, 2, memory}, {n, 2, memory + cells}, {n, 2, memory + 2 * cells}};
    x.fluxes(), show(memory, 3 * cells, n);
    int other = 7;
    x.until(&other), show(memory, 3 * cells, other);
    x.until(&x.n), show(memory, 3 * cells, x.n);
    free(memory);
  }
  // The last row that is written lies over the object, whose size becomes 0 on the way.
  static Cell zeros[4096];
  for (int at = 132; at < 142; at++) {
    memset((void *)zeros, 0, sizeof zeros);
    Field *x = (Field *)(zeros + at);
    *x = {9, {9, 2, zeros}, {9, 2, zeros + 1024}, {9, 2, zeros + 2048}};
    x->fluxes();
    printf("%d %d %d\n", x->n, x->f.w, x->f.g);
  }
}
#endif
