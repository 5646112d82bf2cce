/* contraction: a tensor contraction over two of four indices, as in coupled-cluster programs:
 * r[a][b][i][j] += v[a][c][i][d] * t[c][b][d][j]. */
#define NA SIZE(0, 3, 6, 12, 28, 48)
#define NI SIZE(1, 4, 7, 14, 32, 52)
#define DIMENSIONS(d) d(na, NA) d(ni, NI)
#define FOUR(name) ARRAY4(double, name, NA, na, NA, na, NI, ni, NI, ni)
#define FOURS COUNT4(NA, na, NA, na, NI, ni, NI, ni)
#define ARRAYS(array)             \
    array(output, double, r, FOURS) \
    array(input, double, v, FOURS)  \
    array(input, double, t, FOURS)
#include "../kernel.h"

KERNEL void kernel_contraction(int na, int ni, FOUR(r), FOUR(v), FOUR(t)) {
    for (int a = 0; a < na; a++)
        for (int b = 0; b < na; b++)
            for (int i = 0; i < ni; i++)
                for (int j = 0; j < ni; j++)
                    for (int c = 0; c < na; c++)
                        for (int d = 0; d < ni; d++)
                            r[a][b][i][j] += v[a][c][i][d] * t[c][b][d][j];
}

static void initialise(const struct problem *p) {
    double *r = p->r, *v = p->v, *t = p->t;
    for (size_t i = 0; i < FOURS; i++) {
        r[i] = (double)(i % 13) / 13;
        v[i] = (double)(i % 29) / 29 - 0.5;
        t[i] = (double)(i % 31) / 31 - 0.5;
    }
}

static void run(const struct problem *p) {
    kernel_contraction(p->na, p->ni, p->r, p->v, p->t);
}

static struct work work(const struct problem *p) {
    double na = p->na, ni = p->ni;
    return (struct work){.operations = 2 * na * na * na * ni * ni * ni, .bytes = 8 * 4 * na * na * ni * ni};
}
