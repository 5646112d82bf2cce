// A number that a nest takes from a chain of products and sums: each level is looked at once, not twice for each of those around it, which would never end.
// RUN: %clang -O3 -g1 -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: remark: static control part
#include <stdint.h>
uint64_t y[80], a[1000];
uint64_t hashes(void) {
  uint64_t h = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < 80; i++) h = h * 31 + y[i];
  for (int t = 0; t < 50; t++) {
    h ^= a[t];
    for (int i = 0; i < 1000; i++) a[i] += h * i;
  }
  return h;
}
