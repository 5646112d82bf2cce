/* ThreeMatMat (Pouchet et al. 2011, Fig. 1): C += A B, F += D E, G += C F. Every pair of nests can be fused. */
#define N SIZE(0, 20, 60, 200, 512, 1024)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                            \
    a(input, double, A, COUNT2(N, n, N, n))  \
    a(input, double, B, COUNT2(N, n, N, n))  \
    a(output, double, C, COUNT2(N, n, N, n)) \
    a(input, double, D, COUNT2(N, n, N, n))  \
    a(input, double, E, COUNT2(N, n, N, n))  \
    a(output, double, F, COUNT2(N, n, N, n)) \
    a(output, double, G, COUNT2(N, n, N, n))
#include "../kernel.h"

KERNEL void kernel_three_matmat(int n, ARRAY2(double, A, N, n, N, n), ARRAY2(double, B, N, n, N, n),
                                ARRAY2(double, C, N, n, N, n), ARRAY2(double, D, N, n, N, n),
                                ARRAY2(double, E, N, n, N, n), ARRAY2(double, F, N, n, N, n),
                                ARRAY2(double, G, N, n, N, n)) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                F[i][j] += D[i][k] * E[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                G[i][j] += C[i][k] * F[k][j];
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW2(double, B, N, n);
    VIEW2(double, C, N, n);
    VIEW2(double, D, N, n);
    VIEW2(double, E, N, n);
    VIEW2(double, F, N, n);
    VIEW2(double, G, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            A[i][j] = ratio(i * j + 1, p->n);
            B[i][j] = ratio(i * (j + 1), p->n);
            C[i][j] = ratio(i + j, p->n);
            D[i][j] = ratio(i * (j + 3), p->n);
            E[i][j] = ratio(i * (j + 2) + 2, p->n);
            F[i][j] = ratio(i + 2 * j, p->n);
            G[i][j] = ratio(2 * i + j, p->n);
        }
}

static void run(const struct problem *p) {
    kernel_three_matmat(p->n, p->A, p->B, p->C, p->D, p->E, p->F, p->G);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 6 * n * n * n, .bytes = 8 * 10 * n * n};
}
