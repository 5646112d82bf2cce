/* Two matrix-vector products (Cohen, Girbal, Temam 2004, Fig. 13): A += B C, then D += E^T A. The fusion that the paper
 * prints is illegal; fusing after an interchange of the second nest is legal. */
#define M SIZE(0, 38, 116, 390, 1900, 1800)
#define N SIZE(1, 42, 124, 410, 2100, 2200)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                           \
    a(output, double, A, COUNT1(M, m))      \
    a(input, double, B, COUNT2(M, m, N, n)) \
    a(input, double, C, COUNT1(N, n))       \
    a(output, double, D, COUNT1(N, n))      \
    a(input, double, E, COUNT2(M, m, N, n))
#include "../kernel.h"

KERNEL void kernel_two_matvec(int m, int n, ARRAY1(double, A, M, m), ARRAY2(double, B, M, m, N, n),
                              ARRAY1(double, C, N, n), ARRAY1(double, D, N, n), ARRAY2(double, E, M, m, N, n)) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i] += B[i][j] * C[j];
    for (int k = 0; k < n; k++)
        for (int l = 0; l < m; l++)
            D[k] += E[l][k] * A[l];
}

static void initialise(const struct problem *p) {
    VIEW1(double, A);
    VIEW2(double, B, N, n);
    VIEW1(double, C);
    VIEW1(double, D);
    VIEW2(double, E, N, n);
    for (int j = 0; j < p->n; j++) {
        C[j] = ratio(j, p->n);
        D[j] = ratio(j + 1, p->n);
    }
    for (int i = 0; i < p->m; i++) {
        A[i] = ratio(i + 2, p->m);
        for (int j = 0; j < p->n; j++) {
            B[i][j] = ratio(i * j + 1, p->n);
            E[i][j] = ratio(i * j + 2, p->m);
        }
    }
}

static void run(const struct problem *p) {
    kernel_two_matvec(p->m, p->n, p->A, p->B, p->C, p->D, p->E);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = 4 * m * n, .bytes = 8 * (2 * m * n + 2 * m + 3 * n)};
}
