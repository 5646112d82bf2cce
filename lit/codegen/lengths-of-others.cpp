// The length of a's rows says how many rows of b are read: b's entries are looked at when that is known, and none behind the last one, where nothing may
// be. A table of which the lengths of its own rows say how far it goes is left alone.
// RUN: %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: clang++-22 -O1 -march=native -ffp-contract=on %s -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=2 %t.new 2>%t.report | cmp - %t.expected
// RUN: FileCheck --check-prefix=RAN %s < %t.report
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clangxx -O3 -march=native -fopenmp %s -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <sys/mman.h>

struct row {
  double *begin, *end, *room;
  std::size_t size() const { return end - begin; }
  double &operator[](std::size_t i) const { return begin[i]; }
  double &at(std::size_t i) const {
    if (i >= size())
      throw std::out_of_range("row");
    return begin[i];
  }
};

// CHECK-DAG: lengths-of-others.cpp:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}} register tile
// RAN-DAG: {{.*}}product{{.*}}: new version 2
__attribute__((noinline)) void product(const row *a, const row *b, row *c, std::size_t n, std::size_t m) {
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < m; j++)
      for (std::size_t k = 0; k < a[i].size(); k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-DAG: lengths-of-others.cpp:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} register tile
__attribute__((noinline)) void checked(const row *a, const row *b, row *c, std::size_t n, std::size_t m) {
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < m; j++)
      for (std::size_t k = 0; k < a[i].size(); k++)
        c[i].at(j) += a[i][k] * b[k].at(j);
}

__attribute__((noinline)) void own(const row *a, row *c, std::size_t n, std::size_t m) {
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t k = 0; k < a[i].size(); k++)
      for (std::size_t j = 0; j < m; j++)
        c[i][j] += a[i][k] * a[k][j];
}

// Nothing lies behind the last entry. The first row lies behind the others if they are not in a line.
static row *table(std::size_t n, std::size_t m, int f, bool line) {
  const std::size_t page = 4096, bytes = (n * sizeof(row) + page - 1) / page * page;
  char *p = (char *)mmap(0, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(p + bytes, page, PROT_NONE);
  row *r = (row *)(p + bytes - n * sizeof(row));
  double *d = (double *)malloc((n + 1) * m * sizeof(double));
  for (std::size_t i = 0; i < n; i++) {
    r[i].begin = d + (line || i ? i : n) * m;
    r[i].end = r[i].begin + m;
    for (std::size_t j = 0; j < m; j++)
      r[i][j] = f * double(i * j % 7);
  }
  return r;
}

static void sum(const row *c, std::size_t n, std::size_t m) {
  double s = 0;
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < m; j++)
      s += c[i][j] * (i + 2 * j);
  printf("%g\n", s);
}

int main() {
  const std::size_t n = 150, k = 170, m = 131;
  for (int line = 0; line < 2; line++) {
    row *a = table(n, k, 1, line), *b = table(k, m, 2, line), *c = table(n, m, 0, line);
    product(a, b, c, n, m);
    sum(c, n, m);
    checked(a, b, c, n, m);
    sum(c, n, m);
    row *q = table(m, m, 1, line), *d = table(m, m, 0, line);
    own(q, d, m, m);
    sum(d, m, m);
    // A row of b is too short.
    b[k - 1].end--;
    try {
      checked(a, b, c, n, m);
    } catch (const std::out_of_range &) {
      puts("short");
    }
    sum(c, n, m);
  }
}
