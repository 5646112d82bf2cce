/* OLDA (Kelly, Pugh 1995, Fig. 1): transformation of two-electron integrals. The read-only array r has a subscript that
 * is not affine, which must not keep the nest from being transformed. */
#define NP SIZE(0, 12, 30, 80, 200, 400)
#define MORB SIZE(1, 14, 40, 100, 300, 600)
#define DIMENSIONS(d) d(np, NP) d(morb, MORB)
#define PAIRS (COUNT1(NP, np) * (COUNT1(NP, np) + 1) / 2)
#define ARRAYS(a)                                    \
    a(output, double, x, COUNT2(MORB, morb, NP, np)) \
    a(input, double, r, PAIRS)                       \
    a(input, double, v, COUNT2(NP, np, MORB, morb))
#include "../kernel.h"

KERNEL void kernel_olda(int np, int morb, ARRAY2(double, x, MORB, morb, NP, np), double *PT_QUALIFIER r,
                        ARRAY2(double, v, NP, np, MORB, morb)) {
    for (int mp = 0; mp < np; mp++)
        for (int mq = 0; mq <= mp; mq++)
            for (int mi = 0; mi < morb; mi++) {
                x[mi][mq] += r[mp * (mp + 1) / 2 + mq] * v[mp][mi];
                x[mi][mp] += r[mp * (mp + 1) / 2 + mq] * v[mq][mi];
            }
}

static void initialise(const struct problem *p) {
    VIEW2(double, x, NP, np);
    VIEW1(double, r);
    VIEW2(double, v, MORB, morb);
    for (int i = 0; i < p->morb; i++)
        for (int k = 0; k < p->np; k++)
            x[i][k] = ratio(i + k, 11);
    for (int k = 0; k < p->np * (p->np + 1) / 2; k++)
        r[k] = ratio(3 * k + 1, 101);
    for (int k = 0; k < p->np; k++)
        for (int i = 0; i < p->morb; i++)
            v[k][i] = ratio(i * k + 1, 23);
}

static void run(const struct problem *p) {
    kernel_olda(p->np, p->morb, p->x, p->r, p->v);
}

static struct work work(const struct problem *p) {
    double np = p->np, morb = p->morb, pairs = np * (np + 1) / 2;
    return (struct work){.operations = 4 * pairs * morb, .bytes = 8 * (3 * np * morb + pairs)};
}
