/* atax: y = A^T (A x). */
#define M SIZE(0, 38, 116, 390, 1900, 1800)
#define N SIZE(1, 42, 124, 410, 2100, 2200)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                            \
    a(input, double, A, COUNT2(M, m, N, n))  \
    a(input, double, x, COUNT1(N, n))        \
    a(output, double, y, COUNT1(N, n))       \
    a(temporary, double, tmp, COUNT1(M, m))
#include "kernel.h"

KERNEL void kernel_atax(int m, int n, ARRAY2(double, A, M, m, N, n), ARRAY1(double, x, N, n), ARRAY1(double, y, N, n),
                        ARRAY1(double, tmp, M, m)) {
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
    for (int i = 0; i < m; i++) {
        tmp[i] = 0.0;
        for (int j = 0; j < n; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW1(double, x);
    for (int j = 0; j < p->n; j++)
        x[j] = 1 + ratio(j, p->n);
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->n; j++)
            A[i][j] = ratio(i + j, p->n) / 5;
}

static void run(const struct problem *p) {
    kernel_atax(p->m, p->n, p->A, p->x, p->y, p->tmp);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = 4 * m * n, .bytes = 8 * (m * n + n + 2 * n + 2 * m)};
}
