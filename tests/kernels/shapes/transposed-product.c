/* transposed-product: c = alpha * a^T * b^T + beta * c in single precision, with the summation outermost. */
#define NI SIZE(0, 9, 30, 120, 900, 1800)
#define NJ SIZE(1, 10, 33, 130, 1000, 2000)
#define NK SIZE(2, 11, 36, 140, 1100, 2200)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nk, NK)
#define ARRAYS(array)                               \
    array(output, float, c, COUNT2(NI, ni, NJ, nj)) \
    array(input, float, a, COUNT2(NK, nk, NI, ni))  \
    array(input, float, b, COUNT2(NJ, nj, NK, nk))
#include "../kernel.h"

KERNEL void kernel_transposed_product(int ni, int nj, int nk, float alpha, float beta,
                                      ARRAY2(float, c, NI, ni, NJ, nj), ARRAY2(float, a, NK, nk, NI, ni),
                                      ARRAY2(float, b, NJ, nj, NK, nk)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            c[i][j] *= beta;
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            for (int i = 0; i < ni; i++)
                c[i][j] += alpha * a[k][i] * b[j][k];
}

static void initialise(const struct problem *p) {
    float *a = p->a, *b = p->b, *c = p->c;
    for (size_t i = 0; i < COUNT2(NK, nk, NI, ni); i++)
        a[i] = (float)(i % 19) / 19 - 0.5f;
    for (size_t i = 0; i < COUNT2(NJ, nj, NK, nk); i++)
        b[i] = (float)(i % 27) / 27 - 0.5f;
    for (size_t i = 0; i < COUNT2(NI, ni, NJ, nj); i++)
        c[i] = (float)(i % 5) / 5;
}

static void run(const struct problem *p) {
    kernel_transposed_product(p->ni, p->nj, p->nk, 1.5f, 0.75f, p->c, p->a, p->b);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nk = p->nk;
    return (struct work){.operations = 2 * ni * nj * nk, .bytes = 4 * (2 * ni * nj + ni * nk + nk * nj)};
}
