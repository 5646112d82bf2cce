/* min-plus: shortest paths of two parts, a product in the semiring of minimum and plus. */
#define NI SIZE(0, 9, 30, 120, 900, 1800)
#define NJ SIZE(1, 10, 33, 130, 1000, 2000)
#define NK SIZE(2, 11, 36, 140, 1100, 2200)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK)
#define ARRAYS(array)                             \
    array(output, int, c, COUNT2(NI, ni, NJ, nj)) \
    array(input, int, a, COUNT2(NI, ni, NK, nk))  \
    array(input, int, b, COUNT2(NK, nk, NJ, nj))
#include "../kernel.h"

KERNEL void kernel_min_plus(int ni, int nj, int nk, ARRAY2(int, c, NI, ni, NJ, nj), ARRAY2(int, a, NI, ni, NK, nk),
                            ARRAY2(int, b, NK, nk, NJ, nj)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            for (int k = 0; k < nk; k++)
                c[i][j] = a[i][k] + b[k][j] < c[i][j] ? a[i][k] + b[k][j] : c[i][j];
}

static void initialise(const struct problem *p) {
    int *a = p->a, *b = p->b, *c = p->c;
    for (size_t i = 0; i < COUNT2(NI, ni, NK, nk); i++)
        a[i] = (int)(i * 7919 % 1009);
    for (size_t i = 0; i < COUNT2(NK, nk, NJ, nj); i++)
        b[i] = (int)(i * 104729 % 1013);
    for (size_t i = 0; i < COUNT2(NI, ni, NJ, nj); i++)
        c[i] = 5000;
}

static void run(const struct problem *p) {
    kernel_min_plus(p->ni, p->nj, p->nk, p->c, p->a, p->b);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk;
    return (struct work){.operations = 2 * ni * nj * nk, .bytes = 4 * (2 * ni * nj + ni * nk + nk * nj)};
}
