// Functions that stay as they are because of what they are, each with its reason; the same nest everywhere.
// RUN: %clang -O2 -fopenmp -g1 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
// DEFINE: %{with} = %clang -O2 -g1 -Rpass=polytile -Rpass-missed=polytile -DPLAIN -S -o /dev/null %s
// RUN: %{with} -Os 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function is compiled for size (-Os)"
// RUN: %{with} -Oz 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function is compiled for size (-Oz)"
// RUN: %{with} -mno-implicit-float 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function must not use vector registers (-mno-implicit-float)"
// RUN: %{with} -mgeneral-regs-only -DELEMENT=int 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function must not use vector registers (-mgeneral-regs-only)"
// RUN: %{with} --target=aarch64-linux-gnu -mgeneral-regs-only -DELEMENT=int 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function must not use vector registers (-mgeneral-regs-only)"
// RUN: %{with} -frounding-math 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function observes rounding modes or floating point exceptions"
// RUN: %{with} -ftrapping-math 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function observes rounding modes or floating point exceptions"
// RUN: %{with} -ffp-exception-behavior=strict 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function observes rounding modes or floating point exceptions"
// RUN: %{with} -fsanitize=address 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="a sanitizer reports on the function as it was written"
// RUN: %{with} -fsanitize=thread 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="a sanitizer reports on the function as it was written"
// RUN: %{with} -fsanitize=memory 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="a sanitizer reports on the function as it was written"
// RUN: %{with} -fno-unroll-loops 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %{with} 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %{with} -Os -DON 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %{with} -fsanitize=address -DON 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %{with} -mno-implicit-float -DON 2>&1 | FileCheck %s --check-prefix=REASON -DWHY="the function must not use vector registers (-mno-implicit-float)"
// REASON: remark: loop nest not transformed: [[WHY]] [
// REASON-NOT: remark
// PLAIN: remark: loop nest transformed
// PLAIN-NOT: remark
#ifndef ELEMENT
#define ELEMENT double
#endif
#define NEST(directive, more) \
  for (int i = 0; i < n; i++) \
    for (int k = 0; k < n; k++) \
      directive for (int j = 0; j < n; j++) more c[i][j] += a[i][k] * b[k][j];
#define ARGUMENTS int n, ELEMENT (*restrict a)[500], ELEMENT (*restrict b)[500], ELEMENT (*restrict c)[500]
#define ORDER(text) _Pragma(text)

#ifdef PLAIN
#ifdef ON
__attribute__((annotate("polytile: on")))
#endif
void product(ARGUMENTS) { NEST(, ) }
#else

// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: the function is annotated with 'polytile: off'
__attribute__((annotate("polytile: off"))) void off(ARGUMENTS) { NEST(, ) }

// Both: the more careful one counts.
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: the function is annotated with 'polytile: off'
__attribute__((annotate("polytile: off"), annotate("polytile: on"))) void both(ARGUMENTS) { NEST(, ) }

// Other annotations say nothing to us.
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: loop nest transformed
__attribute__((annotate("hot"))) void other(ARGUMENTS) { NEST(, ) }

// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: the function is not to be optimized
__attribute__((optnone, noinline)) void not_optimized(ARGUMENTS) { NEST(, ) }

// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: the function is compiled for size (-Oz)
__attribute__((minsize)) void small(ARGUMENTS) { NEST(, ) }

// CHECK: left-alone.c:[[@LINE+2]]:{{.*}}: the function observes rounding modes or floating point exceptions
#pragma STDC FENV_ACCESS ON
void environment(ARGUMENTS) { NEST(, ) }
#pragma STDC FENV_ACCESS OFF

// What lives across a second return is only what the program keeps.
// CHECK: left-alone.c:[[@LINE+2]]:{{.*}}: the function calls one that may return twice (setjmp)
int _setjmp(void *) __attribute__((returns_twice));
void twice(void *state, ARGUMENTS) { if (_setjmp(state) == 0) { NEST(, ) } }

// Directives for a loop: orders are obeyed.
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a directive says how a loop is to be transformed ('vectorize.width')
void scalars(ARGUMENTS) { NEST(ORDER("clang loop vectorize(disable)"), ) }
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a directive says how a loop is to be transformed ('interleave.count')
void copies(ARGUMENTS) { NEST(ORDER("clang loop interleave_count(2)"), ) }
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a directive says how a loop is to be transformed ('unroll.count')
void unrolled(ARGUMENTS) { NEST(ORDER("clang loop unroll_count(3)"), ) }
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a directive says how a loop is to be transformed ('unroll.disable')
void rolled(ARGUMENTS) { NEST(ORDER("nounroll"), ) }
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a directive says how a loop is to be transformed ('distribute.enable')
void distributed(ARGUMENTS) { NEST(ORDER("clang loop distribute(enable)"), ) }

// Hints are no orders.
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: loop nest transformed
void welcome(ARGUMENTS) { NEST(ORDER("clang loop vectorize(enable) unroll(enable)"), ) }
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: loop nest transformed
void lanes(ARGUMENTS) { NEST(ORDER("omp simd"), ) }

// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: instruction 'fence'
void fenced(ARGUMENTS) { NEST(, { __atomic_thread_fence(__ATOMIC_SEQ_CST); ) } }
// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a call with unknown effects
void assembly(ARGUMENTS) { NEST(, { __asm__ volatile("nop"); ) } }

// CHECK: left-alone.c:[[@LINE+1]]:{{.*}}: a volatile or atomic access
void changed_outside(int n, volatile double *a) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j] += i; }
#endif
