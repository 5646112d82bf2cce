// Tiles that are no boxes (Ancourt and Irigoin 1991): hexagons at the points of a lattice, and tiles between two families of hyperplanes. From one
// array to another they run, with the same bytes; in place the hexagons are refused with the instances that would change places.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: %plainclang -O2 %t/star.c -o %t/plain && %t/plain > %t/plain.out
// DEFINE: %{with} = env "POLYTILE=min-work=0;verify=on;script=%t/given.pt" %clang -O2 -g1 %t/star.c
//
// RUN: cp %t/hexagons.pt %t/given.pt && %{with} -o %t/hexagons 2> %t/printed
// RUN: FileCheck --check-prefix=HEXAGONS %s < %t/printed
// RUN: env POLYTILE_VERBOSE=1 %t/hexagons > %t/hexagons.out 2> %t/ran && cmp %t/hexagons.out %t/plain.out
// RUN: FileCheck --check-prefix=RAN %s < %t/ran
// HEXAGONS: S0 write
// HEXAGONS: e1 = 0 .. {{[a-z0-9_]+}} - 1
// HEXAGONS: for (c0 = 0; c0 <= {{.*}}; c0 += 1)
// HEXAGONS-NEXT: for (c1 = {{.*}}; c1 += 1)
// HEXAGONS-NEXT: for (c2 = {{.*}}; c2 += 1)
// HEXAGONS-NEXT: for (c3 = {{.*}}; c3 += 1)
// HEXAGONS-NEXT: S0(c2, c3);
// RAN: polytile: {{.*}}star.c:{{.*}} star: new version {{[1-9]}}
//
// RUN: cp %t/diamonds.pt %t/given.pt && %{with} -o %t/diamonds && %t/diamonds | cmp - %t/plain.out
// RUN: cp %t/uneven.pt %t/given.pt && %{with} -o %t/uneven && %t/uneven | cmp - %t/plain.out
// RUN: cp %t/threads.pt %t/given.pt && env "POLYTILE=min-work=0;parallel-min-us=0;verify=on;script=%t/given.pt" %clang -O2 -g1 -fopenmp %t/star.c -o %t/threads
// RUN: env OMP_NUM_THREADS=1 %t/threads | cmp - %t/plain.out
// RUN: env OMP_NUM_THREADS=3 %t/threads | cmp - %t/plain.out
// RUN: cp %t/odd.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=ODD %s
// ODD: error: polytile: {{.*}}given.pt:2:3: hyperplanes [0] [1,1; 1,-1] 3 3: tiles are of 2 kinds, no translates of each other: other distances, or 'uneven'
// RUN: cp %t/closed.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=CLOSED %s
// CLOSED: error: polytile: {{.*}}given.pt:2:3: prototile {{.*}}: the point [{{.*}}] is in the tiles [{{.*}}] and [{{.*}}]
// RUN: cp %t/inplace.pt %t/given.pt && not %{with} -S -o /dev/null 2>&1 | FileCheck --check-prefix=INPLACE %s
// INPLACE: error: polytile: {{.*}}given.pt:2:3: prototile {{.*}}: illegal: a dependence runs backwards: flow{{.*}} dependence through {{.*}} from S0 ({{.*}}star.c:[[LINE:[0-9]+]]) to S0 ({{.*}}star.c:[[LINE]]); for example with
// INPLACE-SAME: must come first, but runs at time

//--- star.c
#include <stdio.h>
enum { SIZE = 42 };
static double a[SIZE][SIZE], b[SIZE][SIZE];
__attribute__((noinline)) void star(int n, double phi[restrict SIZE][SIZE], double psi[restrict SIZE][SIZE]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= i; j++)
      phi[i][j] = 0.25 * (psi[i - 1][j] + psi[i + 1][j] + psi[i][j - 1] + psi[i][j + 1]);
}
__attribute__((noinline)) void sweep(int n, double phi[restrict SIZE][SIZE]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= i; j++)
      phi[i][j] = 0.25 * (phi[i - 1][j] + phi[i + 1][j] + phi[i][j - 1] + phi[i][j + 1]);
}
int main(void) {
  for (int n = 0; n <= SIZE - 2; n++) {
    for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++) {
        a[i][j] = 1;
        b[i][j] = (i * j + n) % 13 / 3.0;
      }
    star(n, a, b);
    sweep(n, b);
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++)
        sum += a[i][j] * (i + 2 * j) + b[i][j];
    printf("%a\n", sum);
  }
}

//--- hexagons.pt
region star {
  print images
  prototile [0] [4,0; 2,4] { [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }
  print code
}

//--- diamonds.pt
region star { hyperplanes [0] [1,1; 1,-1] 4 4 }

//--- uneven.pt
region star { hyperplanes [0] [1,1; 1,-1] 3 3 uneven }
region sweep { hyperplanes [0] [1,0; 1,1] 4 6 }

//--- threads.pt
region star {
  prototile [0] [4,0; 2,4] { [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }
  parallel [0]
}

//--- odd.pt
region star {
  hyperplanes [0] [1,1; 1,-1] 3 3
}

//--- closed.pt
region star {
  prototile [0] [4,0; 2,4] { [x, y] : -2 <= y <= 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }
}

//--- inplace.pt
region sweep {
  prototile [0] [4,0; 2,4] { [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }
}
