// Windows in a script: asked for, replayed from the optimizer's own script, and refused with the reason.
// RUN: rm -rf %t && mkdir %t
// RUN: echo 'region two:18 { window M1_t11 block 32; print beta; check end; parallel [0]; private [0] [ 1 ] }' > %t/window.pt
// RUN: env "POLYTILE=script=%t/window.pt;dump=ast" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: S0 [0,0,0,0]
// CHECK: S1 [0,0,1,0]
// CHECK: // parallel {{.*}} private A1
// CHECK-NEXT: for ([[T:c[0-9]+]] = 0; [[T]] <= ((p0 + 1) / 32)
// RUN: env "POLYTILE=dump=script" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2> %t/own.pt
// RUN: FileCheck --check-prefix=OWN %s < %t/own.pt
// OWN: region two:18 statements 2 loops 4 {
// OWN-NEXT: window M1_t11 4 block 64
// RUN: env "POLYTILE=dump=ast" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2> %t/own.ast
// RUN: env "POLYTILE=script=%t/own.pt;dump=ast" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2>&1 | cmp - %t/own.ast
#include <stdlib.h>
void two(int h, int w, float in[h][w], float out[h][w]) {
  float(*t)[w] = malloc(sizeof(float) * h * w);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      t[y][x] = 2 * in[y][x] + 1;
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = t[y - 1][x] + t[y + 1][x];
  free(t);
}
// RUN: echo 'region two:18 { window M1_t11 2 }' > %t/few.pt
// RUN: not env "POLYTILE=script=%t/few.pt" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck --check-prefix=FEW %s
// FEW: few.pt:1:17: window M1_t11 2: illegal: S1 finds another value in M1_t11
// RUN: echo 'region two:18 { window M0_argument_3 }' > %t/seen.pt
// RUN: not env "POLYTILE=script=%t/seen.pt" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck --check-prefix=SEEN %s
// SEEN: seen.pt:1:17: window M0_argument_3: no nests hand it on to each other row by row, or it is read behind them
// RUN: echo 'region two:18 { window none }' > %t/none.pt
// RUN: not env "POLYTILE=script=%t/none.pt" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: none.pt:1:17: window none: unknown array 'none'
// RUN: echo 'region two:18 { flags; window M1_t11 }' > %t/late.pt
// RUN: not env "POLYTILE=script=%t/late.pt" %clang -O3 -march=znver4 -g1 -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck --check-prefix=LATE %s
// LATE: late.pt:1:24: storage is decided in front of all other commands
