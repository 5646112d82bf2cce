/* symm: C = alpha A B + beta C with a symmetric A of which the lower triangle is stored. */
#define M SIZE(0, 20, 60, 200, 1000, 2000)
#define N SIZE(1, 30, 80, 240, 1200, 2600)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                            \
    a(output, double, C, COUNT2(M, m, N, n)) \
    a(input, double, A, COUNT2(M, m, M, m))  \
    a(input, double, B, COUNT2(M, m, N, n))
#include "kernel.h"

KERNEL void kernel_symm(int m, int n, double alpha, double beta, ARRAY2(double, C, M, m, N, n),
                        ARRAY2(double, A, M, m, M, m), ARRAY2(double, B, M, m, N, n)) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double temp2 = 0.0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
}

static void initialise(const struct problem *p) {
    VIEW2(double, C, N, n);
    VIEW2(double, A, M, m);
    VIEW2(double, B, N, n);
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->n; j++) {
            C[i][j] = ratio(i + j, 100) / p->m;
            B[i][j] = ratio(p->n + i - j, 100) / p->m;
        }
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->m; j++)
            A[i][j] = j <= i ? ratio(i + j, 100) / p->m : -999;
}

static void run(const struct problem *p) {
    kernel_symm(p->m, p->n, 1.5, 1.2, p->C, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = 2 * m * (m - 1) * n + 6 * m * n,
                         .bytes = 8 * (2 * m * n + m * (m + 1) / 2 + m * n)};
}
