// A function for several lanes and the loop that calls it pass vectors in the same registers, also on processors for which narrower vectors are
// preferred than they have: the upper halves of what is returned would be lost.
// RUN: %clang -O3 -march=skylake-avx512 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %plainclang -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O3 -march=native -fopenmp %s -o %t.lanes && %t.lanes | cmp - %t.expected
// CHECK: define internal {{.*}}<16 x i32> @{{.*}}.abreast(<16 x i16> {{.*}}) {{.*}}#[[WIDE:[0-9]+]]
// CHECK: attributes #[[WIDE]] = { {{.*}}"min-legal-vector-width"="512"
#include <stdio.h>
typedef unsigned short U;

__attribute__((noinline)) void halvings(int n, const U *from, U *to) {
  for (int p = 0; p < n; p++) {
    U row[12];
    for (int j = 0; j < 12; j++)
      row[j] = j;
    for (int i = 1; i < 12; i++) {
      U before = row[0];
      row[0] = i;
      for (int j = 1; j < 12; j++) {
        U up = row[j], least = before + (from[i + 4] != from[4]);
        if ((U)(up + 1) < least)
          least = up + 1;
        if ((U)(row[j - 1] + 1) < least)
          least = row[j - 1] + 1;
        row[j] = least;
        before = up;
      }
    }
    to[p] = row[11];
    U x = from[6];
    int count = 0;
    do {
      x = x >> 1;
      count++;
    } while (count < 9 && x > 3);
    to[p] = count;
  }
}

int main(int argc, char **argv) {
  static U from[200], to[300];
  unsigned s = 1;
  for (int i = 0; i < 200; i++)
    from[i] = (s = s * 1103515245u + 12345) >> 13;
  halvings(argc + 299, from, to);
  for (int i = 0; i < 300; i++)
    printf("%d %d\n", i, to[i]);
}
