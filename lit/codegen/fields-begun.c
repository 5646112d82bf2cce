// Sums of neighbouring fields that one loop begins: each of them goes to lanes with its own beginning.
// RUN: %plainclang -O1 -march=native %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new -lm 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <math.h>
#include <stdio.h>

struct body {
  double p[3], v[3], a[3], m;
};

// CHECK: fields-begun.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}vector loop
__attribute__((noinline)) static void attract(struct body *b, int n, double e) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      b[i].a[k] = 0;
    for (int j = 0; j < n; j++) {
      double d[3], r = e;
      for (int k = 0; k < 3; k++) {
        d[k] = b[j].p[k] - b[i].p[k];
        r += d[k] * d[k];
      }
      double inv = 1 / sqrt(r);
      double s = b[j].m * inv * inv * inv;
      for (int k = 0; k < 3; k++)
        b[i].a[k] += d[k] * s;
    }
  }
}

static struct body b[300];

int main() {
  for (int n = 1; n <= 300; n += 57) {
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 3; k++) {
        b[i].p[k] = (i * (37 + k * 16) % 101) / 101.0;
        b[i].v[k] = i;
        b[i].a[k] = -1;
      }
      b[i].m = 1.0 / n;
    }
    attract(b, n, 1e-4);
    double s = 0;
    for (int i = 0; i < n; i++)
      s += b[i].a[0] + 2 * b[i].a[1] + 3 * b[i].a[2] + b[i].v[0] + b[i].m;
    printf("%d %.17g\n", n, s);
  }
}
