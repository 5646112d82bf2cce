/* PDE stencil on a triangle (Ancourt, Irigoin 1991, first example): five points, in place. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a) \
    a(output, double, phi, (size_t)(EXTENT(N, p->n) + 2) * (size_t)(EXTENT(N, p->n) + 2))
#include "../kernel.h"

KERNEL void kernel_pde_stencil(int n, ARRAY2(double, phi, N + 2, n + 2, N + 2, n + 2)) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= i; j++)
            phi[i][j] = 0.25 * (phi[i - 1][j] + phi[i + 1][j] + phi[i][j - 1] + phi[i][j + 1]);
}

static void initialise(const struct problem *p) {
    VIEW2(double, phi, N + 2, n + 2);
    for (int i = 0; i < p->n + 2; i++)
        for (int j = 0; j < p->n + 2; j++)
            phi[i][j] = ratio(i * (j + 2), 29);
}

static void run(const struct problem *p) {
    kernel_pde_stencil(p->n, p->phi);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * (n + 1), .bytes = 8 * n * (n + 1), .chain_additions = 8 * n};
}
