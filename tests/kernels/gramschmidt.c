/* gramschmidt: A = Q R by the modified Gram-Schmidt process. */
#define M SIZE(0, 20, 60, 200, 1000, 2000)
#define N SIZE(1, 30, 80, 240, 1200, 2600)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                            \
    a(output, double, A, COUNT2(M, m, N, n)) \
    a(output, double, R, COUNT2(N, n, N, n)) \
    a(output, double, Q, COUNT2(M, m, N, n))
#include "kernel.h"
#include <math.h>

KERNEL void kernel_gramschmidt(int m, int n, ARRAY2(double, A, M, m, N, n), ARRAY2(double, R, N, n, N, n),
                               ARRAY2(double, Q, M, m, N, n)) {
    for (int k = 0; k < n; k++) {
        double nrm = 0.0;
        for (int i = 0; i < m; i++)
            nrm += A[i][k] * A[i][k];
        R[k][k] = sqrt(nrm);
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0.0;
            for (int i = 0; i < m; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW2(double, R, N, n);
    VIEW2(double, Q, N, n);
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->n; j++) {
            A[i][j] = 100 * ratio(i * j + i + 2 * j, 1009) + (i == j ? 110 : 10);
            Q[i][j] = 0.0;
        }
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            R[i][j] = (i * 7 + j) % 5;
}

static void run(const struct problem *p) {
    kernel_gramschmidt(p->m, p->n, p->A, p->R, p->Q);
}

/* Column k + 1 is complete only after column k; its norm is one chain of m additions. */
static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = 2 * m * n * (n - 1) + 3 * m * n + n,
                         .bytes = 8 * (2 * m * n + 2 * m * n + n * (n + 1)),
                         .chain_fused = m * n,
                         .chain_divisions = 2 * n};
}
