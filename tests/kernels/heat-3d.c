/* heat-3d: heat equation on a cube, two arrays in turn. */
#define TSTEPS SIZE(0, 20, 40, 100, 500, 1000)
#define N SIZE(1, 10, 20, 40, 120, 200)
#define DIMENSIONS(d) d(tsteps, TSTEPS) d(n, N)
#define ARRAYS(a)                                  \
    a(output, double, A, COUNT3(N, n, N, n, N, n)) \
    a(output, double, B, COUNT3(N, n, N, n, N, n))
#include "kernel.h"

KERNEL void kernel_heat_3d(int tsteps, int n, ARRAY3(double, A, N, n, N, n, N, n), ARRAY3(double, B, N, n, N, n, N, n)) {
    for (int t = 1; t <= tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                                 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                                 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                                 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                                 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
    }
}

static void initialise(const struct problem *p) {
    VIEW3(double, A, N, n, N, n);
    VIEW3(double, B, N, n, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            for (int k = 0; k < p->n; k++)
                A[i][j][k] = B[i][j][k] = (double)(i + j + (p->n - k)) * 10 / p->n;
}

static void run(const struct problem *p) {
    kernel_heat_3d(p->tsteps, p->n, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double t = p->tsteps, n = p->n, side = n < 2 ? 0 : n - 2;
    return (struct work){.operations = 2 * t * 13 * side * side * side,
                         .bytes = 8 * 4 * n * n * n,
                         .chain_additions = 2 * t * 5};
}
