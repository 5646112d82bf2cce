/* adi: two-dimensional heat equation by alternating directions, a tridiagonal solve per line. */
#define TSTEPS SIZE(0, 20, 40, 100, 500, 1000)
#define N SIZE(1, 20, 60, 200, 1000, 2000)
#define DIMENSIONS(d) d(tsteps, TSTEPS) d(n, N)
#define ARRAYS(a)                               \
    a(output, double, u, COUNT2(N, n, N, n))    \
    a(temporary, double, v, COUNT2(N, n, N, n)) \
    a(temporary, double, p, COUNT2(N, n, N, n)) \
    a(temporary, double, q, COUNT2(N, n, N, n))
#include "kernel.h"

KERNEL void kernel_adi(int tsteps, int n, ARRAY2(double, u, N, n, N, n), ARRAY2(double, v, N, n, N, n),
                       ARRAY2(double, p, N, n, N, n), ARRAY2(double, q, N, n, N, n)) {
    double DX = 1.0 / (double)n;
    double DY = 1.0 / (double)n;
    double DT = 1.0 / (double)tsteps;
    double B1 = 2.0, B2 = 1.0;
    double mul1 = B1 * DT / (DX * DX);
    double mul2 = B2 * DT / (DY * DY);
    double a = -mul1 / 2.0;
    double b = 1.0 + mul1;
    double c = a;
    double d = -mul2 / 2.0;
    double e = 1.0 + mul2;
    double f = d;

    for (int t = 1; t <= tsteps; t++) {
        /* Columns of u. */
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                          (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        /* Rows of v. */
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                          (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, u, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            u[i][j] = (double)(i + p->n - j) / p->n;
}

static void run(const struct problem *p) {
    kernel_adi(p->tsteps, p->n, p->u, p->v, p->p, p->q);
}

/* A sweep is a forward chain (a division and an addition per point) and a backward one. */
static struct work work(const struct problem *p) {
    double t = p->tsteps, n = p->n, points = n < 2 ? 0 : (n - 2) * (n - 2);
    return (struct work){.operations = 26 * t * points,
                         .bytes = 8 * 8 * n * n,
                         .chain_fused = 4 * t * n,
                         .chain_divisions = 2 * t * n};
}
