/* syr2k: C = alpha A B^T + alpha B A^T + beta C on the lower triangle of C. */
#define M SIZE(0, 20, 60, 200, 1000, 2000)
#define N SIZE(1, 30, 80, 240, 1200, 2600)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                            \
    a(output, double, C, COUNT2(N, n, N, n)) \
    a(input, double, A, COUNT2(N, n, M, m))  \
    a(input, double, B, COUNT2(N, n, M, m))
#include "kernel.h"

KERNEL void kernel_syr2k(int n, int m, double alpha, double beta, ARRAY2(double, C, N, n, N, n),
                         ARRAY2(double, A, N, n, M, m), ARRAY2(double, B, N, n, M, m)) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, C, N, n);
    VIEW2(double, A, M, m);
    VIEW2(double, B, M, m);
    for (int i = 0; i < p->n; i++) {
        for (int k = 0; k < p->m; k++) {
            A[i][k] = ratio(i * k + 1, p->n);
            B[i][k] = ratio(i * k + 2, p->m);
        }
        for (int j = 0; j < p->n; j++)
            C[i][j] = ratio(i * j + 3, p->n);
    }
}

static void run(const struct problem *p) {
    kernel_syr2k(p->n, p->m, 1.5, 1.2, p->C, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = 2 * n * (n + 1) * m + n * (n + 1) / 2 + 2 * n * m,
                         .bytes = 8 * (n * (n + 1) + 2 * n * m)};
}
