// Functions that must call nothing: those that may run in a signal handler, and those that know no library. They get loops, but
// no threads and no memory of their own.
// RUN: %clang -O3 -march=znver4 -g1 -Rpass=polytile -Rpass-missed=polytile -S -emit-llvm -o %t.ll %s 2> %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck --check-prefix=IR --input-file %t.ll %s
// RUN: %clang -O3 -march=znver4 -ffreestanding -DFREE -S -emit-llvm -o - %s | FileCheck %s --check-prefix=FREE
// RUN: %clang -O3 -march=znver4 -fno-builtin -DFREE -S -emit-llvm -o - %s | FileCheck %s --check-prefix=FREE
//
// IR-LABEL: define {{.*}}@handler(
// IR-NOT: @malloc
// IR-NOT: @__kmpc
// IR-LABEL: define {{.*}}@called_by_handler(
// IR-NOT: @malloc
// IR-NOT: @__kmpc
// IR-LABEL: define {{.*}}@ordinary(
// IR: @__kmpc_fork_call
// FREE-NOT: @malloc
// FREE-NOT: @__kmpc_fork_call
#include <signal.h>
#define N 400
static double a[N][N], b[N][N], c[N][N];

// CHECK: remark: loop nest not transformed: it would need memory of its own, and the function must call nothing: it may run in a signal handler
void handler(int number) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// Lanes along a diagonal need no memory.
// CHECK: no-calls.c:[[@LINE+2]]:{{[0-9]}}: remark: loop nest transformed
__attribute__((noinline)) void called_by_handler(int n, double (*restrict x)[N]) {
  for (int t = 0; t < n; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        x[i][j] = (x[i - 1][j] + x[i][j - 1] + x[i][j] + x[i][j + 1] + x[i + 1][j]) / 5;
}
void with_more(int number, siginfo_t *info, void *context) { called_by_handler(number, a); }

// The same type, but it goes nowhere.
// CHECK: no-calls.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 parallel loop
void ordinary(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

#ifndef FREE
// The user says that it is none.
// CHECK: no-calls.c:[[@LINE+2]]:3: remark: loop nest transformed: {{.*}}1 parallel loop
__attribute__((annotate("polytile: on"))) void known(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[i][j] += a[i][k] * c[k][j];
}
void (*const table[])(int) = {known};
#endif

void install(void) {
  struct sigaction how = {.sa_sigaction = with_more};
  sigaction(SIGUSR1, &how, 0);
  signal(SIGALRM, handler);
}
