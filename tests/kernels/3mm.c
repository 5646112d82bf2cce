/* 3mm: G = (A B) (C D), three products. */
#define NI SIZE(0, 16, 40, 180, 800, 1600)
#define NJ SIZE(1, 18, 50, 190, 900, 1800)
#define NK SIZE(2, 20, 60, 200, 1000, 2000)
#define NL SIZE(3, 22, 70, 210, 1100, 2200)
#define NM SIZE(4, 24, 80, 220, 1200, 2400)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK) d(nl, NL) d(nm, NM)
#define ARRAYS(a)                                   \
    a(temporary, double, E, COUNT2(NI, ni, NJ, nj)) \
    a(input, double, A, COUNT2(NI, ni, NK, nk))     \
    a(input, double, B, COUNT2(NK, nk, NJ, nj))     \
    a(temporary, double, F, COUNT2(NJ, nj, NL, nl)) \
    a(input, double, C, COUNT2(NJ, nj, NM, nm))     \
    a(input, double, D, COUNT2(NM, nm, NL, nl))     \
    a(output, double, G, COUNT2(NI, ni, NL, nl))
#include "kernel.h"

KERNEL void kernel_3mm(int ni, int nj, int nk, int nl, int nm, ARRAY2(double, E, NI, ni, NJ, nj),
                       ARRAY2(double, A, NI, ni, NK, nk), ARRAY2(double, B, NK, nk, NJ, nj),
                       ARRAY2(double, F, NJ, nj, NL, nl), ARRAY2(double, C, NJ, nj, NM, nm),
                       ARRAY2(double, D, NM, nm, NL, nl), ARRAY2(double, G, NI, ni, NL, nl)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            E[i][j] = 0.0;
            for (int k = 0; k < nk; k++)
                E[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < nj; i++)
        for (int j = 0; j < nl; j++) {
            F[i][j] = 0.0;
            for (int k = 0; k < nm; k++)
                F[i][j] += C[i][k] * D[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            G[i][j] = 0.0;
            for (int k = 0; k < nj; k++)
                G[i][j] += E[i][k] * F[k][j];
        }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, NK, nk);
    VIEW2(double, B, NJ, nj);
    VIEW2(double, C, NM, nm);
    VIEW2(double, D, NL, nl);
    for (int i = 0; i < p->ni; i++)
        for (int k = 0; k < p->nk; k++)
            A[i][k] = ratio(i * k + 1, p->ni) / 5;
    for (int k = 0; k < p->nk; k++)
        for (int j = 0; j < p->nj; j++)
            B[k][j] = ratio(k * (j + 1) + 2, p->nj) / 5;
    for (int j = 0; j < p->nj; j++)
        for (int m = 0; m < p->nm; m++)
            C[j][m] = ratio(j * (m + 3), p->nm) / 5;
    for (int m = 0; m < p->nm; m++)
        for (int l = 0; l < p->nl; l++)
            D[m][l] = ratio(m * (l + 2) + 2, p->nl) / 5;
}

static void run(const struct problem *p) {
    kernel_3mm(p->ni, p->nj, p->nk, p->nl, p->nm, p->E, p->A, p->B, p->F, p->C, p->D, p->G);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk, nl = p->nl, nm = p->nm;
    return (struct work){.operations = 2 * (ni * nj * nk + nj * nl * nm + ni * nl * nj),
                         .bytes = 8 * (2 * ni * nj + ni * nk + nk * nj + 2 * nj * nl + nj * nm + nm * nl + 2 * ni * nl)};
}
