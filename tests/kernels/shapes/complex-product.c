/* complex-product: a matrix product of complex numbers that are stored as pairs. */
#define NI SIZE(0, 6, 20, 90, 500, 1000)
#define NJ SIZE(1, 7, 22, 100, 550, 1100)
#define NK SIZE(2, 8, 24, 110, 600, 1200)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK)
#define ARRAYS(array)                                   \
    array(output, double, c, COUNT2(NI, ni, NJ, nj) * 2) \
    array(input, double, a, COUNT2(NI, ni, NK, nk) * 2)  \
    array(input, double, b, COUNT2(NK, nk, NJ, nj) * 2)
#include "../kernel.h"

KERNEL void kernel_complex_product(int ni, int nj, int nk, ARRAY3(double, c, NI, ni, NJ, nj, 2, 2),
                                   ARRAY3(double, a, NI, ni, NK, nk, 2, 2), ARRAY3(double, b, NK, nk, NJ, nj, 2, 2)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            for (int k = 0; k < nk; k++) {
                c[i][j][0] += a[i][k][0] * b[k][j][0] - a[i][k][1] * b[k][j][1];
                c[i][j][1] += a[i][k][0] * b[k][j][1] + a[i][k][1] * b[k][j][0];
            }
}

static void initialise(const struct problem *p) {
    double *a = p->a, *b = p->b, *c = p->c;
    for (size_t i = 0; i < COUNT2(NI, ni, NK, nk) * 2; i++)
        a[i] = (double)(i % 19) / 19 - 0.5;
    for (size_t i = 0; i < COUNT2(NK, nk, NJ, nj) * 2; i++)
        b[i] = (double)(i % 27) / 27 - 0.5;
    for (size_t i = 0; i < COUNT2(NI, ni, NJ, nj) * 2; i++)
        c[i] = (double)(i % 5) / 5;
}

static void run(const struct problem *p) {
    kernel_complex_product(p->ni, p->nj, p->nk, p->c, p->a, p->b);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk;
    return (struct work){.operations = 8 * ni * nj * nk, .bytes = 16 * (2 * ni * nj + ni * nk + nk * nj)};
}
