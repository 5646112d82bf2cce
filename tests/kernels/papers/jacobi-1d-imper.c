/* jacobi_1d_imper (Darte, Isoard 2015): a three-point sweep and a copy back, an imperfect nest. The copy can be fused
 * only after a shift by one. */
#define TSTEPS SIZE(0, 20, 40, 100, 500, 1000)
#define N SIZE(1, 30, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(tsteps, TSTEPS) d(n, N)
#define ARRAYS(a)                      \
    a(output, double, A, COUNT1(N, n)) \
    a(output, double, B, COUNT1(N, n))
#include "../kernel.h"

KERNEL void kernel_jacobi_1d_imper(int tsteps, int n, ARRAY1(double, A, N, n), ARRAY1(double, B, N, n)) {
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
        for (int j = 1; j < n - 1; j++)
            A[j] = B[j];
    }
}

static void initialise(const struct problem *p) {
    VIEW1(double, A);
    VIEW1(double, B);
    for (int i = 0; i < p->n; i++) {
        A[i] = (i + 2.0) / p->n;
        B[i] = (i + 3.0) / p->n;
    }
}

static void run(const struct problem *p) {
    kernel_jacobi_1d_imper(p->tsteps, p->n, p->A, p->B);
}

static struct work work(const struct problem *p) {
    double t = p->tsteps, n = p->n, points = n < 2 ? 0 : n - 2;
    return (struct work){
        .operations = 3 * t * points, .bytes = 8 * 4 * n, .chain_additions = 2 * t, .chain_divisions = t};
}
