// Forces between near pairs: the compiler carries each sum beside its cell and stores it where the condition holds. It is the cell's content: one statement
// updates three cells, and nothing else computes them again.
// RUN: %plainclang -O1 -march=native %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new -lm
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env "POLYTILE=dump=scop;only=push" %clang -O3 -march=x86-64-v4 -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SCOP
// SCOP-LABEL: function "push"
// SCOP-NOT: temporary
// SCOP-COUNT-3: may-write
// SCOP-NOT: temporary
// SCOP-NOT: may-write
#include <stdio.h>
#define NI __attribute__((noinline))

NI static void push(int n, double (*restrict f)[3], double (*restrict x)[3], double near) {
  for (int i = 0; i < n; i++) {
    f[i][0] = f[i][1] = f[i][2] = 0;
    for (int j = 0; j < n; j++) {
      if (j == i)
        continue;
      double d[3], r = 0;
      for (int k = 0; k < 3; k++) {
        d[k] = x[i][k] - x[j][k];
        r += d[k] * d[k];
      }
      if (r < near) {
        double g = 1 / (r + 0.5);
        for (int k = 0; k < 3; k++)
          f[i][k] += g * d[k];
      }
    }
  }
}

// The value behind one branch is not the one in front of it: two updates, one of which another may follow.
NI static void twice(int n, int *restrict s, const int *restrict a, const int *restrict b) {
  for (int i = 0; i < n; i++) {
    s[i] = 0;
    for (int j = 0; j < n; j++) {
      if (a[j] > b[i])
        s[i] += a[j];
      else if (a[j] < 0)
        s[i] -= b[j];
      if (b[j] == 3)
        s[i] *= 3;
    }
  }
}

// What a memory set has left there, of which another write takes a part away.
NI static void begun(int n, int m, int *restrict s, const int *restrict a) {
  __builtin_memset(s, 0, n * sizeof *s);
  if (m > 0)
    s[n / 2] = 7;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (a[j] != i % 5)
        s[i] += a[j] - i;
}

int main() {
  static double f[70][3], x[70][3];
  static int s[70], a[70], b[70];
  for (int n = 1; n <= 70; n += 23) {
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 3; k++)
        x[i][k] = (i * (7 + 4 * k) % 11) * 0.25;
      a[i] = i * 13 % 17 - 8;
      b[i] = i * 5 % 7 - 3;
    }
    push(n, f, x, 2.0);
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += f[i][0] + 2 * f[i][1] + 3 * f[i][2];
    printf("%d %.17g", n, sum);
    twice(n, s, a, b);
    long all = 0;
    for (int i = 0; i < n; i++)
      all = all * 31 + s[i];
    for (int m = 0; m < 2; m++) {
      begun(n, m, s, a);
      for (int i = 0; i < n; i++)
        all = all * 31 + s[i];
    }
    printf(" %ld\n", all);
  }
}
