/* integer-product: c += a * b^T with integers, whose sums may be taken in any order. */
#define NI SIZE(0, 9, 30, 120, 900, 1800)
#define NJ SIZE(1, 10, 33, 130, 1000, 2000)
#define NK SIZE(2, 11, 36, 140, 1100, 2200)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK)
#define ARRAYS(array)                                  \
    array(output, uint32_t, c, COUNT2(NI, ni, NJ, nj)) \
    array(input, uint32_t, a, COUNT2(NI, ni, NK, nk))  \
    array(input, uint32_t, b, COUNT2(NJ, nj, NK, nk))
#include "../kernel.h"

KERNEL void kernel_integer_product(int ni, int nj, int nk, ARRAY2(uint32_t, c, NI, ni, NJ, nj),
                                   ARRAY2(uint32_t, a, NI, ni, NK, nk), ARRAY2(uint32_t, b, NJ, nj, NK, nk)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            for (int k = 0; k < nk; k++)
                c[i][j] += a[i][k] * b[j][k];
}

static void initialise(const struct problem *p) {
    uint32_t *a = p->a, *b = p->b, *c = p->c;
    for (size_t i = 0; i < COUNT2(NI, ni, NK, nk); i++)
        a[i] = (uint32_t)(i * 2654435761u);
    for (size_t i = 0; i < COUNT2(NJ, nj, NK, nk); i++)
        b[i] = (uint32_t)(i * 40503u + 7);
    for (size_t i = 0; i < COUNT2(NI, ni, NJ, nj); i++)
        c[i] = (uint32_t)i;
}

static void run(const struct problem *p) {
    kernel_integer_product(p->ni, p->nj, p->nk, p->c, p->a, p->b);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk;
    return (struct work){.operations = 2 * ni * nj * nk, .bytes = 4 * (2 * ni * nj + ni * nk + nk * nj)};
}
