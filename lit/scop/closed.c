// Loops that are left in front of the end of an iteration are closed again: all ways through an iteration meet before the loop goes
// on or ends. What follows such a loop belongs to its last iteration if it stores where the loop does.
// RUN: %clang -O1 -mllvm -polytile-dump=scop -mllvm -polytile-only=middle -mllvm -polytile-stop-after=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -polytile-dump=scop -mllvm -polytile-only=tails -mllvm -polytile-stop-after=scop -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=TAILS %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O1 -fopenmp -DMAIN %s -o %t.one && %t.one | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fopenmp -DMAIN %s -o %t.three && %t.three | cmp - %t.expected
#define N 40
#define NINE(c, j) c[j] * c[j + 1] * c[j + 2] * c[j + 3] * c[j + 4] * c[j + 5] * c[j + 6] * c[j + 7] * c[j + 8]
typedef double *restrict array;

// CHECK: domain { S0[i0, i1] : 0 <= i0 < pt0_0 and 0 <= i1 <= pt0_0 }
// CHECK: domain { S1[i0, i1] : {{.*}}0 <= i1 < pt0_0
void middle(int n, array a, array b, array c) {
  for (int i = 0; i < n; i++)
    for (int j = 0;;) {
      a[i + j] += NINE(c, j);
      if (j >= n)
        break;
      b[i + j] = c[j] * 2;
      j++;
    }
}

// The last iteration has no sum: its store, which is a copy, is a statement in the loop over j.
// TAILS: loop "[[J:b[0-9]+]]"
// TAILS: domain { S{{[0-9]}}[i0, -1 + pt0_0] : 0 <= i0 < pt0_0 }
// TAILS-NEXT: beta 0 0 2
void tails(long n, array a, array b, array c) {
  for (long i = 0; i < n; i++)
    for (long j = n - 1; j >= 0; j--) {
      double s = c[j] * a[i * n + j];
      for (long k = 0; k < j; k++)
        s += c[k + j] * b[k];
      a[i * n + j] = s;
    }
}

// Values are used behind the loop.
long count(long n, array a, array b, array c) {
  long j = 0;
  for (;; j++) {
    a[j] += NINE(c, j);
    if (j * 2 >= n)
      break;
    b[j] = c[j] * 2;
  }
  return j;
}

double last(long n, array a, array b, array c) {
  double value = 0, sum = 0;
  for (long j = n; ; j--) {
    value = a[j] + NINE(c, j);
    a[j] = value;
    if (j <= 1)
      break;
    sum += value;
    b[j] = sum;
  }
  return value + sum;
}

// What follows: a store that belongs to the loop, one that does not, and another loop.
void followed(long n, array a, array b, array c) {
  for (long j = n; ; j--) {
    b[j] = NINE(c, j);
    if (j <= 1)
      break;
    a[j] += b[j];
  }
  a[0] = b[0] + b[1];
  c[1] = a[0];
  for (long j = 0; j < n; j++)
    a[j] *= c[j];
}

void loops(long n, array a, array b, array c) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = 0; j < n; j++) {
      double s = c[i] * a[i * n + j];
      for (long k = 0; k < i; k++)
        s += c[i + k] * a[k * n + j];
      a[i * n + j] = s;
    }
}

// Left by another condition in each iteration of the loop around it, and counted without signs.
void unsigned_down(unsigned n, array a, array b, array c) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = n + 5; ; j--) {
      a[i * 3 + j] += NINE(c, j);
      if (j <= i)
        break;
      b[i + j] -= c[j] + a[j];
    }
}

#ifdef MAIN
#include <stdio.h>
static double a[N * N], b[N * N], c[N * N];
static void set(void) {
  for (int i = 0; i < N * N; i++) {
    a[i] = i % 7 * 0.5 - 1;
    b[i] = i % 11 * 0.25;
    c[i] = i % 5 * 0.75 - 1;
  }
}
static void put(double value) {
  fwrite(&value, sizeof value, 1, stdout);
  fwrite(a, sizeof a, 1, stdout);
  fwrite(b, sizeof b, 1, stdout);
  fwrite(c, sizeof c, 1, stdout);
  set();
}

int main(void) {
  set();
  for (int n = 0; n < N; n += n < 9 ? 1 : 13) {
    put((middle(n, a, b, c), 0));
    put((tails(n, a, b, c), 0));
    put(count(n, a, b, c));
    put(last(n, a, b, c));
    put((followed(n, a, b, c), 0));
    put((loops(n, a, b, c), 0));
    put((unsigned_down(n, a, b, c), 0));
  }
  return 0;
}
#endif
