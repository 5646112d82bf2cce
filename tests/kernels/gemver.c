/* gemver: a rank-2 update of A, then x = beta A^T y + z and w = alpha A x. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                            \
    a(output, double, A, COUNT2(N, n, N, n)) \
    a(input, double, u1, COUNT1(N, n))       \
    a(input, double, v1, COUNT1(N, n))       \
    a(input, double, u2, COUNT1(N, n))       \
    a(input, double, v2, COUNT1(N, n))       \
    a(output, double, w, COUNT1(N, n))       \
    a(output, double, x, COUNT1(N, n))       \
    a(input, double, y, COUNT1(N, n))        \
    a(input, double, z, COUNT1(N, n))
#include "kernel.h"

KERNEL void kernel_gemver(int n, double alpha, double beta, ARRAY2(double, A, N, n, N, n), ARRAY1(double, u1, N, n),
                          ARRAY1(double, v1, N, n), ARRAY1(double, u2, N, n), ARRAY1(double, v2, N, n),
                          ARRAY1(double, w, N, n), ARRAY1(double, x, N, n), ARRAY1(double, y, N, n),
                          ARRAY1(double, z, N, n)) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + beta * A[j][i] * y[j];
    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW1(double, u1);
    VIEW1(double, v1);
    VIEW1(double, u2);
    VIEW1(double, v2);
    VIEW1(double, w);
    VIEW1(double, x);
    VIEW1(double, y);
    VIEW1(double, z);
    for (int i = 0; i < p->n; i++) {
        double fraction = (i + 1.0) / p->n;
        u1[i] = i;
        u2[i] = fraction / 2;
        v1[i] = fraction / 4;
        v2[i] = fraction / 6;
        y[i] = fraction / 8;
        z[i] = fraction / 9;
        x[i] = 0.0;
        w[i] = 0.0;
        for (int j = 0; j < p->n; j++)
            A[i][j] = ratio(i * j, p->n);
    }
}

static void run(const struct problem *p) {
    kernel_gemver(p->n, 1.5, 1.2, p->A, p->u1, p->v1, p->u2, p->v2, p->w, p->x, p->y, p->z);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    /* A is updated (read, written) before w, whose x needs all of it, reads it again. */
    return (struct work){.operations = 10 * n * n + n, .bytes = 8 * (3 * n * n + 10 * n)};
}
