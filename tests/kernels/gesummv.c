/* gesummv: y = alpha A x + beta B x. */
#define N SIZE(0, 30, 90, 250, 1300, 2800)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                           \
    a(input, double, A, COUNT2(N, n, N, n)) \
    a(input, double, B, COUNT2(N, n, N, n)) \
    a(temporary, double, tmp, COUNT1(N, n)) \
    a(input, double, x, COUNT1(N, n))       \
    a(output, double, y, COUNT1(N, n))
#include "kernel.h"

KERNEL void kernel_gesummv(int n, double alpha, double beta, ARRAY2(double, A, N, n, N, n),
                           ARRAY2(double, B, N, n, N, n), ARRAY1(double, tmp, N, n), ARRAY1(double, x, N, n),
                           ARRAY1(double, y, N, n)) {
    for (int i = 0; i < n; i++) {
        tmp[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, A, N, n);
    VIEW2(double, B, N, n);
    VIEW1(double, x);
    for (int i = 0; i < p->n; i++) {
        x[i] = ratio(i, p->n);
        for (int j = 0; j < p->n; j++) {
            A[i][j] = ratio(i * j + 1, p->n);
            B[i][j] = ratio(i * j + 2, p->n);
        }
    }
}

static void run(const struct problem *p) {
    kernel_gesummv(p->n, 1.5, 1.2, p->A, p->B, p->tmp, p->x, p->y);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 4 * n * n + 3 * n, .bytes = 8 * (2 * n * n + 5 * n)};
}
