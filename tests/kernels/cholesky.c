/* cholesky: A = L L^T, L in the lower triangle of A. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a) a(output, double, A, COUNT2(N, n, N, n))
#include "kernel.h"
#include <math.h>

KERNEL void kernel_cholesky(int n, ARRAY2(double, A, N, n, N, n)) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}

/* Symmetric and diagonally dominant, hence positive definite. */
static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            A[i][j] = i == j ? p->n : ratio(i + j + i * j, 17);
}

static void run(const struct problem *p) {
    kernel_cholesky(p->n, p->A);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = n * n * n / 3 + n * n / 2 + n / 6,
                         .bytes = 8 * n * (n + 1),
                         .chain_fused = n,
                         .chain_divisions = 2 * n};
}
