/* ludcmp: A x = b by LU factorization with a scalar accumulator, then forward and back substitution. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                            \
    a(output, double, A, COUNT2(N, n, N, n)) \
    a(input, double, b, COUNT1(N, n))        \
    a(output, double, x, COUNT1(N, n))       \
    a(output, double, y, COUNT1(N, n))
#include "kernel.h"

KERNEL void kernel_ludcmp(int n, ARRAY2(double, A, N, n, N, n), ARRAY1(double, b, N, n), ARRAY1(double, x, N, n),
                          ARRAY1(double, y, N, n)) {
    double w;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            w = A[i][j];
            for (int k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (int j = i; j < n; j++) {
            w = A[i][j];
            for (int k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
    for (int i = 0; i < n; i++) {
        w = b[i];
        for (int j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
    for (int i = n - 1; i >= 0; i--) {
        w = y[i];
        for (int j = i + 1; j < n; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
}

/* Diagonally dominant. */
static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW1(double, b);
    VIEW1(double, x);
    VIEW1(double, y);
    for (int i = 0; i < p->n; i++) {
        b[i] = (i + 1.0) / p->n / 2 + 4;
        x[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < p->n; j++)
            A[i][j] = i == j ? p->n : ratio(i + 2 * j + i * j, 17);
    }
}

static void run(const struct problem *p) {
    kernel_ludcmp(p->n, p->A, p->b, p->x, p->y);
}

/* In the back substitution each row's sum begins with the newest element of x: one chain of n^2/2 additions. */
static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * n * n / 3 + 3 * n * n / 2 - n / 6,
                         .bytes = 8 * (2 * n * n + 5 * n),
                         .chain_fused = n * (n - 1) / 2,
                         .chain_divisions = 2 * n};
}
