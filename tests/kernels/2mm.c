/* 2mm: D = alpha A B C + beta D, two products one after the other. */
#define NI SIZE(0, 16, 40, 180, 800, 1600)
#define NJ SIZE(1, 18, 50, 190, 900, 1800)
#define NK SIZE(2, 22, 70, 210, 1100, 2200)
#define NL SIZE(3, 24, 80, 220, 1200, 2400)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK) d(nl, NL)
#define ARRAYS(a)                                     \
    a(temporary, double, tmp, COUNT2(NI, ni, NJ, nj)) \
    a(input, double, A, COUNT2(NI, ni, NK, nk))       \
    a(input, double, B, COUNT2(NK, nk, NJ, nj))       \
    a(input, double, C, COUNT2(NJ, nj, NL, nl))       \
    a(output, double, D, COUNT2(NI, ni, NL, nl))
#include "kernel.h"

KERNEL void kernel_2mm(int ni, int nj, int nk, int nl, double alpha, double beta, ARRAY2(double, tmp, NI, ni, NJ, nj),
                       ARRAY2(double, A, NI, ni, NK, nk), ARRAY2(double, B, NK, nk, NJ, nj),
                       ARRAY2(double, C, NJ, nj, NL, nl), ARRAY2(double, D, NI, ni, NL, nl)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = 0.0;
            for (int k = 0; k < nk; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < nj; k++)
                D[i][j] += tmp[i][k] * C[k][j];
        }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, NK, nk);
    VIEW2(double, B, NJ, nj);
    VIEW2(double, C, NL, nl);
    VIEW2(double, D, NL, nl);
    for (int i = 0; i < p->ni; i++)
        for (int k = 0; k < p->nk; k++)
            A[i][k] = ratio(i * k + 1, p->ni);
    for (int k = 0; k < p->nk; k++)
        for (int j = 0; j < p->nj; j++)
            B[k][j] = ratio(k * (j + 1), p->nj);
    for (int j = 0; j < p->nj; j++)
        for (int l = 0; l < p->nl; l++)
            C[j][l] = ratio(j * (l + 3) + 1, p->nl);
    for (int i = 0; i < p->ni; i++)
        for (int l = 0; l < p->nl; l++)
            D[i][l] = ratio(i * (l + 2), p->nk + 1);
}

static void run(const struct problem *p) {
    kernel_2mm(p->ni, p->nj, p->nk, p->nl, 1.5, 1.2, p->tmp, p->A, p->B, p->C, p->D);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk, nl = p->nl;
    return (struct work){.operations = 2 * ni * nj * nk + 2 * ni * nj * nl + ni * nk + ni * nl,
                         .bytes = 8 * (2 * ni * nj + ni * nk + nk * nj + nj * nl + 2 * ni * nl)};
}
