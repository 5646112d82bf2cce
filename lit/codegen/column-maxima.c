// Maxima of columns with a loop that initializes them: each cell is written whatever the data are, so an update under a comparison of the cell
// may store in each iteration, and is a register tile. Without the loop the branch stays, and strips are as wide as the second level cache allows.
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=x86-64-v3 -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=1;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#define NI __attribute__((noinline))

// CHECK: tile 1x{{[0-9]+}}x4 S1
NI void initialized(int n, int m, const double *a, double *most) {
  for (int j = 0; j < m; j++)
    most[j] = a[j];
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[(long)i * m + j] > most[j])
        most[j] = a[(long)i * m + j];
}

// Both ends, each under a comparison of its own.
// CHECK: x 4 lanes of rows
NI void ranges(int n, int m, const double *a, double *least, double *most) {
  for (int j = 0; j < m; j++)
    least[j] = most[j] = a[j];
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = a[(long)i * m + j];
      if (x < least[j])
        least[j] = x;
      if (x > most[j])
        most[j] = x;
    }
}

// CHECK-NOT: tile 1x
// CHECK: for ([[J:c[0-9]+]] = 0; {{.*}}; [[J]] += s0)
// CHECK: vector
NI void running(int n, int m, const double *a, double *most) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[(long)i * m + j] > most[j])
        most[j] = a[(long)i * m + j];
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static void run(int n, int m, int kind) {
  const double values[] = {0.0, -0.0, NAN, 1.5, -1.5};
  double *a = malloc(sizeof(double) * n * m), *most = malloc(sizeof(double) * m), *least = malloc(sizeof(double) * m);
  for (int i = 0; i < n * m; i++)
    a[i] = kind ? values[(i * 7 + i / 3) % 5] : (i * 31) % 1009;
  initialized(n, m, a, most);
  fwrite(most, sizeof(double), m, stdout);
  for (int j = 0; j < m; j++)
    most[j] = kind ? values[(j + 2) % 5] : 500;
  running(n, m, a, most);
  fwrite(most, sizeof(double), m, stdout);
  ranges(n, m, a, least, most);
  fwrite(least, sizeof(double), m, stdout), fwrite(most, sizeof(double), m, stdout);
  free(a), free(most), free(least);
}

int main(void) {
  const int columns[] = {1, 3, 4, 15, 16, 17, 100, 3000};
  for (int c = 0; c < 8; c++)
    for (int n = 1; n < 40; n += 6)
      run(n, columns[c], 0), run(n, columns[c], 1);
}
#endif
