// Calls in nests that stay as they are: the functions that hold them are what they were without the plugin, with debug information too.
// RUN: %plainclang -O2 -g -mllvm -inline-threshold=-100 -S -o %t.plain.s %s
// RUN: %clang -O2 -g -mllvm -inline-threshold=-100 -Rpass=polytile -Rpass-missed=polytile -S -o %t.s %s 2>&1 | FileCheck %s
// RUN: cmp %t.s %t.plain.s
struct pair { double x, y; };

static void add(double *to, const double *from, double by) { *to += by * *from; }

static struct pair both(const double *from, long i) {
    struct pair p = {from[i], from[i + 1]};
    return p;
}

static double sum(const double *from, long n) {
    double s = 0;
    for (long k = 0; k < n; k++)
        s += from[k] * from[k + 1];
    return s;
}

// CHECK: called.c:[[@LINE+2]]:5: remark: loop nest not transformed: a subscript depends on data
void scattered(long n, double *a, const double *b, const long *at) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            add(&a[at[j] + i], &b[j * n + i], 0.5);
}

// CHECK: called.c:[[@LINE+2]]:5: remark: loop nest not transformed
void until(long n, double *restrict a, const double *restrict b) {
    for (long i = 0; a[i] < 7; i++)
        for (long j = 0; j < n; j++) {
            struct pair p = both(b, j);
            a[i + n] += p.x - p.y;
        }
}

// CHECK: called.c:[[@LINE+3]]:5: remark: loop nest not transformed
double chained(long n, double *a, const double *b) {
    double s = 1;
    for (long i = 0; i < n && s != 0; i++) {
        add(&s, &a[i], sum(b, n));
        a[i] = s + both(b, i).y;
    }
    return s;
}
