/* gemm: C = alpha A B + beta C for dense matrices. */
#define NI SIZE(0, 20, 60, 200, 1000, 2000)
#define NJ SIZE(1, 25, 70, 220, 1100, 2300)
#define NK SIZE(2, 30, 80, 240, 1200, 2600)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK)
#define ARRAYS(a)                               \
    a(output, double, C, COUNT2(NI, ni, NJ, nj)) \
    a(input, double, A, COUNT2(NI, ni, NK, nk)) \
    a(input, double, B, COUNT2(NK, nk, NJ, nj))
#include "kernel.h"

KERNEL void kernel_gemm(int ni, int nj, int nk, double alpha, double beta, ARRAY2(double, C, NI, ni, NJ, nj),
                        ARRAY2(double, A, NI, ni, NK, nk), ARRAY2(double, B, NK, nk, NJ, nj)) {
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, C, NJ, nj);
    VIEW2(double, A, NK, nk);
    VIEW2(double, B, NJ, nj);
    for (int i = 0; i < p->ni; i++)
        for (int j = 0; j < p->nj; j++)
            C[i][j] = ratio(i * j + 1, p->ni);
    for (int i = 0; i < p->ni; i++)
        for (int k = 0; k < p->nk; k++)
            A[i][k] = ratio(i * (k + 1), p->nk);
    for (int k = 0; k < p->nk; k++)
        for (int j = 0; j < p->nj; j++)
            B[k][j] = ratio(k * (j + 2), p->nj);
}

static void run(const struct problem *p) {
    kernel_gemm(p->ni, p->nj, p->nk, 1.5, 1.2, p->C, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk;
    return (struct work){.operations = 2 * ni * nj * nk + ni * nj + ni * nk,
                         .bytes = 8 * (2 * ni * nj + ni * nk + nk * nj)};
}
