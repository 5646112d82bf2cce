// Lanes that read structures: fields next to each other are read at once and transposed in registers. Nothing else is read than what the
// program reads: arrays end where a page does.
// RUN: env POLYTILE="min-work=0;verify=on" %clang -O3 -march=znver4 -S -emit-llvm -o %t.ll %s
// RUN: FileCheck %s < %t.ll
// RUN: env POLYTILE="min-work=0;verify=on;dump=ast" %clang -O3 -march=znver4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=AST
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <sys/mman.h>

struct quad { double x, y, z, w; };
struct body { float x, y, z, m, u, v; };

// AST-COUNT-3: lanes
// CHECK-LABEL: define {{.*}}@nearest.polytile
// CHECK: load <4 x double>
__attribute__((noinline)) void nearest(long n, long m, const struct quad *restrict q, const struct quad *restrict c, int *restrict label) {
  for (long i = 0; i < n; i++) {
    double best = 1e300;
    int which = 0;
    for (long k = 0; k < m; k++) {
      double d = (q[i].x - c[k].x) * (q[i].x - c[k].x) + (q[i].y - c[k].y) * (q[i].y - c[k].y) + (q[i].z - c[k].z) * q[i].w;
      if (d < best) {
        best = d;
        which = k;
      }
    }
    label[i] = which;
  }
}

// Five of six fields: what is next to each other in twos and fours.
// CHECK-LABEL: define {{.*}}@strongest.polytile
// CHECK: load <4 x float>
__attribute__((noinline)) void strongest(long n, long m, const struct body *restrict b, const float *restrict t, int *restrict label) {
  for (long i = 0; i < n; i++) {
    float best = -1e30f;
    int which = -1;
    for (long k = 0; k < m; k++) {
      float f = (b[i].x * t[k] - b[i].y) * b[i].z + b[i].m * (t[k] - b[i].v);
      if (f > best) {
        best = f;
        which = k;
      }
    }
    label[i] = which;
  }
}

// Rows of sixteen columns.
// CHECK-LABEL: define {{.*}}@rows.polytile
// CHECK: load <16 x i32>
__attribute__((noinline)) void rows(long n, long m, const int (*restrict x)[16], const int (*restrict c)[16], int *restrict label) {
  for (long i = 0; i < n; i++) {
    int best = 1 << 30, which = 0;
    for (long j = 0; j < m; j++) {
      int s = 0;
      for (int l = 0; l < 16; l++)
        s += (x[i][l] - c[j][l]) * (x[i][l] - c[j][l]);
      if (s < best) {
        best = s;
        which = j;
      }
    }
    label[i] = which;
  }
}

#ifdef MAIN
static void *at_the_end(size_t bytes) {
  size_t page = 4096, all = (bytes + page - 1) / page * page;
  char *p = mmap(0, all + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(p + all, page, PROT_NONE);
  return p + all - bytes;
}
int main() {
  for (long n = 1; n < 150; n += n < 20 ? 1 : 37) {
    long m = n % 7 + 3;
    struct quad *q = at_the_end(n * sizeof *q), *c = at_the_end(m * sizeof *c);
    struct body *b = at_the_end(n * sizeof *b);
    int (*x)[16] = at_the_end(n * sizeof *x), (*y)[16] = at_the_end(m * sizeof *y), label[3][150];
    float t[16];
    for (long i = 0; i < n; i++) {
      q[i] = (struct quad){i * .5, 1. / (i + 1), i % 5, -i};
      b[i] = (struct body){i * .5f, 1.f / (i + 1), i % 5, -i, i % 3, i % 11};
      for (int l = 0; l < 16; l++)
        x[i][l] = i * 31 % 23 + l * 7;
    }
    for (long k = 0; k < m; k++) {
      t[k] = .1f * (k * 3 % 5) - .3f;
      c[k] = (struct quad){k * 17 % 31, k * .25, k * 5 % 7, 0};
      for (int l = 0; l < 16; l++)
        y[k][l] = k * 17 % 13 * l - l;
    }
    nearest(n, m, q, c, label[0]);
    strongest(n, m, b, t, label[1]);
    rows(n, m, x, y, label[2]);
    for (long i = 0; i < n; i++)
      printf("%d %d %d\n", label[0][i], label[1][i], label[2][i]);
  }
}
#endif
