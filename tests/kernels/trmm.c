/* trmm: B = alpha A^T B in place, A unit lower triangular. */
#define M SIZE(0, 20, 60, 200, 1000, 2000)
#define N SIZE(1, 30, 80, 240, 1200, 2600)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                           \
    a(input, double, A, COUNT2(M, m, M, m)) \
    a(output, double, B, COUNT2(M, m, N, n))
#include "kernel.h"

KERNEL void kernel_trmm(int m, int n, double alpha, ARRAY2(double, A, M, m, M, m), ARRAY2(double, B, M, m, N, n)) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, M, m);
    VIEW2(double, B, N, n);
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->m; j++)
            A[i][j] = j < i ? ratio(i + j, p->m) : 1.0;
        for (int j = 0; j < p->n; j++)
            B[i][j] = ratio(p->n + i - j + p->m, p->n);
    }
}

static void run(const struct problem *p) {
    kernel_trmm(p->m, p->n, 1.5, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = m * (m - 1) * n + m * n, .bytes = 8 * (m * (m - 1) / 2 + 2 * m * n)};
}
