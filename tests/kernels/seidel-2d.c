/* seidel-2d: nine-point smoothing of a square in place. */
#define TSTEPS SIZE(0, 20, 40, 100, 500, 1000)
#define N SIZE(1, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(tsteps, TSTEPS) d(n, N)
#define ARRAYS(a) a(output, double, A, COUNT2(N, n, N, n))
#include "kernel.h"

KERNEL void kernel_seidel_2d(int tsteps, int n, ARRAY2(double, A, N, n, N, n)) {
    for (int t = 0; t <= tsteps - 1; t++)
        for (int i = 1; i <= n - 2; i++)
            for (int j = 1; j <= n - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                          9.0;
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            A[i][j] = ((double)(i * (j + 2)) + 2) / p->n;
}

static void run(const struct problem *p) {
    kernel_seidel_2d(p->tsteps, p->n, p->A);
}

/* A row's points wait for their left neighbours (six additions and the division), and each row for the one above. */
static struct work work(const struct problem *p) {
    double t = p->tsteps, n = p->n, side = n < 2 ? 0 : n - 2;
    return (struct work){.operations = 9 * t * side * side,
                         .bytes = 8 * 2 * n * n,
                         .chain_additions = 6 * (2 * t + 3 * side),
                         .chain_divisions = 2 * t + 3 * side};
}
