/* LU KIJ (Kelly, Pugh 1995, section 5): Gaussian elimination with the pivot outermost; all six orders are legal. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(array) array(output, double, a, COUNT2(N, n, N, n))
#include "../kernel.h"

KERNEL void kernel_lu_kij(int n, ARRAY2(double, a, N, n, N, n)) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[k][j] * a[i][k];
        }
}

/* Diagonally dominant. */
static void initialise(const struct problem *p) {
    VIEW2(double, a, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            a[i][j] = i == j ? p->n : ratio(i + 2 * j + i * j, 17);
}

static void run(const struct problem *p) {
    kernel_lu_kij(p->n, p->a);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * n * n / 3 - n * n / 2 - n / 6,
                         .bytes = 8 * 2 * n * n,
                         .chain_fused = 2 * n,
                         .chain_divisions = n};
}
