/* doitgen: every row A[r][q] is multiplied by the matrix C4, in place (a multiresolution kernel). */
#define NQ SIZE(0, 8, 20, 40, 140, 220)
#define NR SIZE(1, 10, 25, 50, 150, 250)
#define NP SIZE(2, 12, 30, 60, 160, 270)
#define DIMENSIONS(d) d(nq, NQ) d(nr, NR) d(np, NP)
#define ARRAYS(a)                                      \
    a(output, double, A, COUNT3(NR, nr, NQ, nq, NP, np)) \
    a(input, double, C4, COUNT2(NP, np, NP, np))       \
    a(temporary, double, sum, COUNT1(NP, np))
#include "kernel.h"

KERNEL void kernel_doitgen(int nr, int nq, int np, ARRAY3(double, A, NR, nr, NQ, nq, NP, np),
                           ARRAY2(double, C4, NP, np, NP, np), ARRAY1(double, sum, NP, np)) {
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
}

static void initialise(const struct problem *p) {
    VIEW3(double, A, NQ, nq, NP, np);
    VIEW2(double, C4, NP, np);
    for (int r = 0; r < p->nr; r++)
        for (int q = 0; q < p->nq; q++)
            for (int s = 0; s < p->np; s++)
                A[r][q][s] = ratio(r * q + s, p->np);
    for (int s = 0; s < p->np; s++)
        for (int t = 0; t < p->np; t++)
            C4[s][t] = ratio(s * t, p->np);
}

static void run(const struct problem *p) {
    kernel_doitgen(p->nr, p->nq, p->np, p->A, p->C4, p->sum);
}

static struct work work(const struct problem *p) {
    double nr = p->nr, nq = p->nq, np = p->np;
    return (struct work){.operations = 2 * nr * nq * np * np, .bytes = 8 * (2 * nr * nq * np + np * np + 2 * np)};
}
