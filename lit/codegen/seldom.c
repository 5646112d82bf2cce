// Stores under a condition are judged for data where it mostly holds and for data where it mostly does not: the program has one branch around all of
// them, and where nothing topples that is all its time. Lanes ask for each of the five stores, and in one loop each waits for the masked one before, so
// that loops of their own are better. A sum of its own for each cell keeps its lanes.
// RUN: env POLYTILE=dump=model %clang -O3 -march=x86-64-v4 -fopenmp -g1 -c -o /dev/null %s 2> %t.txt
// RUN: awk '{ sub("one=", "", $6); time[$2 " " $5] = $6 + 0 } END { exit !(time["topple plan"] > 1.4 * time["topple apart"] && 2 * time["mend plan"] < time["mend original"]) }' %t.txt
// RUN: %clang -O3 -march=x86-64-v4 -fopenmp -g1 -Rpass=polytile -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env 'POLYTILE=min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.omp
// RUN: env OMP_NUM_THREADS=1 %t.omp | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.omp | cmp - %t.expected
#define N 300

void topple(int (*restrict pile)[N], int (*restrict add)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      add[i][j] = 0;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      if (pile[i][j] >= 4) {
        int k = pile[i][j] / 4;
        add[i][j] -= 4 * k;
        add[i - 1][j] += k;
        add[i + 1][j] += k;
        add[i][j - 1] += k;
        add[i][j + 1] += k;
      }
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      pile[i][j] += add[i][j];
}

// CHECK: seldom.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}} vector loop
void mend(float (*restrict a)[N], const float (*restrict b)[N]) {
  for (int t = 0; t < 200; t++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++)
        if (b[i][j] > 0)
          a[i][j] = a[i][j] * b[i][j] + 1;
}

#ifdef MAIN
#include <stdio.h>
static int pile[N][N], add[N][N];
static float a[N][N], b[N][N];
int main(void) {
  pile[N / 2][N / 2] = 4000;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[i][j] = (i * 7 + j * 3) % 5 - 2;
  for (int t = 0; t < 100; t++)
    topple(pile, add);
  mend(a, b);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%d %a\n", pile[i][j], a[i][j]);
}
#endif
