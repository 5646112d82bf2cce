/* trisolv: L x = b by forward substitution. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                           \
    a(input, double, L, COUNT2(N, n, N, n)) \
    a(output, double, x, COUNT1(N, n))      \
    a(input, double, b, COUNT1(N, n))
#include "kernel.h"

KERNEL void kernel_trisolv(int n, ARRAY2(double, L, N, n, N, n), ARRAY1(double, x, N, n), ARRAY1(double, b, N, n)) {
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, L, N, n);
    VIEW1(double, x);
    VIEW1(double, b);
    for (int i = 0; i < p->n; i++) {
        x[i] = -999;
        b[i] = i;
        for (int j = 0; j < p->n; j++)
            L[i][j] = i == j ? 2 : 2 * ratio(i + p->n - j + 1, p->n) / p->n;
    }
}

static void run(const struct problem *p) {
    kernel_trisolv(p->n, p->L, p->x, p->b);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = n * n,
                         .bytes = 8 * (n * (n + 1) / 2 + 3 * n),
                         .chain_fused = n,
                         .chain_divisions = n};
}
