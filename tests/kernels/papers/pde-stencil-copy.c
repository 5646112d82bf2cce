/* PDE stencil on a triangle from one array into another: any tiling is legal (Ancourt, Irigoin 1991, hexagons). */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define AREA ((size_t)(EXTENT(N, p->n) + 2) * (size_t)(EXTENT(N, p->n) + 2))
#define ARRAYS(a)                \
    a(input, double, phi, AREA)  \
    a(output, double, psi, AREA)
#include "../kernel.h"

KERNEL void kernel_pde_stencil_copy(int n, ARRAY2(double, phi, N + 2, n + 2, N + 2, n + 2),
                                    ARRAY2(double, psi, N + 2, n + 2, N + 2, n + 2)) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= i; j++)
            psi[i][j] = 0.25 * (phi[i - 1][j] + phi[i + 1][j] + phi[i][j - 1] + phi[i][j + 1]);
}

static void initialise(const struct problem *p) {
    VIEW2(double, phi, N + 2, n + 2);
    for (int i = 0; i < p->n + 2; i++)
        for (int j = 0; j < p->n + 2; j++)
            phi[i][j] = ratio(i * (j + 2), 29);
}

static void run(const struct problem *p) {
    kernel_pde_stencil_copy(p->n, p->phi, p->psi);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * (n + 1), .bytes = 8 * 1.5 * n * (n + 1)};
}
