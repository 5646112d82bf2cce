/* distances: squared distances between two sets of points. */
#define NI SIZE(0, 10, 40, 200, 1500, 3000)
#define NJ SIZE(1, 12, 44, 220, 1600, 3200)
#define ND SIZE(2, 3, 8, 32, 128, 256)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ) d(nd, ND)
#define ARRAYS(array)                                \
    array(output, double, far, COUNT2(NI, ni, NJ, nj)) \
    array(input, double, x, COUNT2(NI, ni, ND, nd))  \
    array(input, double, y, COUNT2(NJ, nj, ND, nd))
#include "../kernel.h"

KERNEL void kernel_distances(int ni, int nj, int nd, ARRAY2(double, far, NI, ni, NJ, nj), ARRAY2(double, x, NI, ni, ND, nd),
                             ARRAY2(double, y, NJ, nj, ND, nd)) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            double sum = 0.0;
            for (int d = 0; d < nd; d++) {
                double apart = x[i][d] - y[j][d];
                sum += apart * apart;
            }
            far[i][j] = sum;
        }
}

static void initialise(const struct problem *p) {
    double *x = p->x, *y = p->y;
    for (size_t i = 0; i < COUNT2(NI, ni, ND, nd); i++)
        x[i] = (double)(i * 13 % 101) / 101;
    for (size_t i = 0; i < COUNT2(NJ, nj, ND, nd); i++)
        y[i] = (double)(i * 17 % 103) / 103;
}

static void run(const struct problem *p) {
    kernel_distances(p->ni, p->nj, p->nd, p->far, p->x, p->y);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj, nd = p->nd;
    return (struct work){.operations = 3 * ni * nj * nd, .bytes = 8 * (2 * ni * nj + (ni + nj) * nd)};
}
