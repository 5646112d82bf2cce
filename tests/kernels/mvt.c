/* mvt: x1 += A y1 and x2 += A^T y2. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                       \
    a(output, double, x1, COUNT1(N, n)) \
    a(output, double, x2, COUNT1(N, n)) \
    a(input, double, y_1, COUNT1(N, n)) \
    a(input, double, y_2, COUNT1(N, n)) \
    a(input, double, A, COUNT2(N, n, N, n))
#include "kernel.h"

KERNEL void kernel_mvt(int n, ARRAY1(double, x1, N, n), ARRAY1(double, x2, N, n), ARRAY1(double, y_1, N, n),
                       ARRAY1(double, y_2, N, n), ARRAY2(double, A, N, n, N, n)) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x1[i] = x1[i] + A[i][j] * y_1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x2[i] = x2[i] + A[j][i] * y_2[j];
}

static void initialise(const struct problem *p) {
    VIEW1(double, x1);
    VIEW1(double, x2);
    VIEW1(double, y_1);
    VIEW1(double, y_2);
    VIEW2(double, A, N, n);
    for (int i = 0; i < p->n; i++) {
        x1[i] = ratio(i, p->n);
        x2[i] = ratio(i + 1, p->n);
        y_1[i] = ratio(i + 3, p->n);
        y_2[i] = ratio(i + 4, p->n);
        for (int j = 0; j < p->n; j++)
            A[i][j] = ratio(i * j, p->n);
    }
}

static void run(const struct problem *p) {
    kernel_mvt(p->n, p->x1, p->x2, p->y_1, p->y_2, p->A);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 4 * n * n, .bytes = 8 * (n * n + 6 * n)};
}
