// Dependences between instances with strides, triangular bounds and a call that stores a variable number of elements: many
// generators, but few that count. Once, the search did not come back from here; now it finds that nothing is gained.
// RUN: env POLYTILE='min-work=0;tile-sizes=7,5,7;fusion=max;parallel=off;second-level=on' %clang -O2 -S -Rpass-missed=polytile -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: cone.c:10:5: remark: loop nest not transformed: no gain expected: nothing runs in parallel or in tiles
#include <string.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
double A2[25][1];
__attribute__((noinline)) void kernel(int n0, unsigned n1, double *A1) {
    double *to = A1 + 2;
    for (int i0 = 0; i0 < n0; i0 += 2) {
        for (int i1 = (MIN((long)n1, i0 + 9)) - 1; i1 >= i0; i1--) {
            for (int i2 = (long)n1 - 5; i2 < 2 * i0 + 1; i2++) {
                if ((i1 + (long)n1 - 1) > 0)
                    memset(&to[i2], 0, sizeof(double) * ((i1 + (long)n1 - 1)));
            }
        }
    }
}
