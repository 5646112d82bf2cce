// Each step of a checksum uses the one before it twice. LLVM unrolls the inner loop, so that there are 2^44 paths through the operands of a value: each operand is
// looked at once.
// RUN: %clang -O3 -g1 -Rpass-analysis=polytile -fno-caret-diagnostics -S -o /dev/null %s 2>&1 | FileCheck %s
#include <stdint.h>
// CHECK: shared-steps.c:[[@LINE+3]]:3: remark: static control part: 2 statements, 1 loop;
void checksum(int n, const uint64_t (*restrict x)[44], uint64_t *restrict sum) {
  uint64_t h = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 44; j++)
      h = (h << 5 | h >> 59) ^ x[i][j];
  *sum = h;
}
