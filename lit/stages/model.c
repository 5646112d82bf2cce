// Each candidate of a region is printed with its estimated cycles on one thread and on two; the original is one of them.

// RUN: env "POLYTILE=dump=model;only=twice" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o /dev/null %s 2>&1 | FileCheck %s

void twice(long n, const double *restrict a, double *restrict b) {
    for (long i = 0; i < n; i++)
        b[i] = 2 * a[i];
}
// CHECK: model twice 6 candidate original one={{[0-9]+}} two={{[0-9]+}} at {{.*}}=1000{{$}}
// CHECK: model twice 6 candidate {{[a-z]+}} one={{[0-9]+}} two={{[0-9]+}} at {{.*}}=1000

// A check in each iteration keeps LLVM from making vectors; the new version has none. One that is the same in all iterations does not.
// RUN: env "POLYTILE=dump=model" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o /dev/null %s 2> %t.txt
// RUN: awk '$5 == "original" { sub("one=", "", $6); time[$2] = $6 + 0 } END { exit !(time["checked"] > 2 * time["twice"] && time["once"] < 1.1 * time["twice"]) }' %t.txt
void checked(long n, long len, const double *restrict a, double *restrict b) {
    for (long i = 0; i < n; i++) {
        if (i * 3 >= len)
            __builtin_trap();
        b[i] = 2 * a[i];
    }
}
void once(long n, long len, const double *restrict a, double *restrict b) {
    for (long i = 0; i < n; i++) {
        if (n >= len)
            __builtin_trap();
        b[i] = 2 * a[i];
    }
}
