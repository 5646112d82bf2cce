// What a user gets wrong is one line and a failed compilation: files that are not there, values and names of options, a plugin that is loaded
// from two files, a host of another LLVM. The same file loaded twice is one plugin, and gives the same code.
// RUN: not env POLYTILE=schedule=/nonexistent %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not env POLYTILE=script=/nonexistent %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SCRIPT
// RUN: not env POLYTILE=schedule= %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %clang -O2 -mllvm -polytile-tile=perhaps -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %clang -O2 -mllvm -polytile-tyle=on -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not opt-22 -load-pass-plugin=%polytile "-passes=polytile<tyle>" -disable-output /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: cp %polytile %t.so && not %clang -fpass-plugin=%t.so -O2 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %clang -O2 -march=znver4 -S -o %t.once %s && %clang -fpass-plugin=%polytile -O2 -march=znver4 -S -o %t.twice %s && cmp %t.once %t.twice
// RUN: grep -q product.polytile %t.once
// RUN: %plainclang -shared -fPIC -DHOST -o %t.host.so %s && env LD_PRELOAD=%t.host.so not %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=HOST
//
// SCHEDULE: {{^}}error: polytile: schedule file '/nonexistent' cannot be read: No such file
// SCRIPT: {{^}}error: polytile: script file '/nonexistent' cannot be read: No such file
// EMPTY: {{^}}error: polytile: option 'schedule' does not take the value '', but FILE{{$}}
// VALUE: {{^}}error: polytile: option 'tile' does not take the value 'perhaps', but on|off{{$}}
// NAME: {{^}}error: polytile: unknown option 'tyle'; valid options: {{.*}}, tile, {{.*}} (POLYTILE=help explains them){{$}}
// TWICE: {{^}}error: polytile: it is loaded from two files: name only one of them
// TWICE-NOT: {{.}}
// HOST: {{^}}error: polytile: this plugin is for LLVM 22, and its host is of LLVM 31{{$}}
#ifdef HOST
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) { *major = 31, *minor = *patch = 0; }
#else
void product(int n, double (*restrict c)[500], double (*restrict a)[500], double (*restrict b)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
#endif
