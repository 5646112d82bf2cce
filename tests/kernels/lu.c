/* lu: A = L U without pivoting, both factors in A. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a) a(output, double, A, COUNT2(N, n, N, n))
#include "kernel.h"

KERNEL void kernel_lu(int n, ARRAY2(double, A, N, n, N, n)) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

/* Diagonally dominant. */
static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            A[i][j] = i == j ? p->n : ratio(i + 2 * j + i * j, 17);
}

static void run(const struct problem *p) {
    kernel_lu(p->n, p->A);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * n * n / 3 - n * n / 2 - n / 6,
                         .bytes = 8 * 2 * n * n,
                         .chain_fused = 2 * n,
                         .chain_divisions = n};
}
