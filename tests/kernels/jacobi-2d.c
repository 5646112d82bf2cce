/* jacobi-2d: five-point smoothing of a square, two arrays in turn. */
#define TSTEPS SIZE(0, 20, 40, 100, 500, 1000)
#define N SIZE(1, 30, 90, 250, 1300, 2800)
#define DIMENSIONS(d) d(tsteps, TSTEPS) d(n, N)
#define ARRAYS(a)                            \
    a(output, double, A, COUNT2(N, n, N, n)) \
    a(output, double, B, COUNT2(N, n, N, n))
#include "kernel.h"

KERNEL void kernel_jacobi_2d(int tsteps, int n, ARRAY2(double, A, N, n, N, n), ARRAY2(double, B, N, n, N, n)) {
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW2(double, B, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            A[i][j] = ((double)(i * (j + 2)) + 2) / p->n;
            B[i][j] = ((double)(i * (j + 3)) + 3) / p->n;
        }
}

static void run(const struct problem *p) {
    kernel_jacobi_2d(p->tsteps, p->n, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double t = p->tsteps, n = p->n, side = n < 2 ? 0 : n - 2;
    return (struct work){
        .operations = 2 * t * 5 * side * side, .bytes = 8 * 4 * n * n, .chain_additions = 2 * t * 5};
}
