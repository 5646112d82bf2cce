// Each candidate of a region is printed with its estimated cycles on one thread and on two; the original is one of them.

// RUN: env "POLYTILE=dump=model;only=twice" %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o /dev/null %s 2>&1 | FileCheck %s

void twice(long n, const double *restrict a, double *restrict b) {
    for (long i = 0; i < n; i++)
        b[i] = 2 * a[i];
}
// CHECK: model twice 6 candidate original one={{[0-9]+}} two={{[0-9]+}} at {{.*}}=1000{{$}}
// CHECK: model twice 6 candidate {{[a-z]+}} one={{[0-9]+}} two={{[0-9]+}} at {{.*}}=1000
