/* bicg: s = A^T r and q = A p, the two products of the BiCG method. */
#define M SIZE(0, 38, 116, 390, 1900, 1800)
#define N SIZE(1, 42, 124, 410, 2100, 2200)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                           \
    a(input, double, A, COUNT2(N, n, M, m)) \
    a(output, double, s, COUNT1(M, m))      \
    a(output, double, q, COUNT1(N, n))      \
    a(input, double, p, COUNT1(M, m))       \
    a(input, double, r, COUNT1(N, n))
#include "kernel.h"

KERNEL void kernel_bicg(int m, int n, ARRAY2(double, A, N, n, M, m), ARRAY1(double, s, M, m), ARRAY1(double, q, N, n),
                        ARRAY1(double, p, M, m), ARRAY1(double, r, N, n)) {
    for (int i = 0; i < m; i++)
        s[i] = 0.0;
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, M, m);
    VIEW1(double, r);
    double *direction = p->p;
    for (int j = 0; j < p->m; j++)
        direction[j] = ratio(j, p->m);
    for (int i = 0; i < p->n; i++) {
        r[i] = ratio(i, p->n);
        for (int j = 0; j < p->m; j++)
            A[i][j] = ratio(i * (j + 1), p->n);
    }
}

static void run(const struct problem *p) {
    kernel_bicg(p->m, p->n, p->A, p->s, p->q, p->p, p->r);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = 4 * m * n, .bytes = 8 * (m * n + 2 * m + 2 * n + m + n)};
}
