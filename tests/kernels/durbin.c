/* durbin: Levinson-Durbin recursion for a symmetric Toeplitz system. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define N_MINIMUM 1
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                     \
    a(input, double, r, COUNT1(N, n)) \
    a(output, double, y, COUNT1(N, n))
#include "kernel.h"

KERNEL void kernel_durbin(int n, ARRAY1(double, r, N, n), ARRAY1(double, y, N, n)) {
    double z[EXTENT(N, n)];
    y[0] = -r[0];
    double beta = 1.0;
    double alpha = -r[0];
    for (int k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        double sum = 0.0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

/* A convex decreasing sequence gives a positive definite Toeplitz matrix. */
static void initialise(const struct problem *p) {
    VIEW1(double, r);
    for (int i = 0; i < p->n; i++)
        r[i] = 1.0 / (i + 2);
}

static void run(const struct problem *p) {
    kernel_durbin(p->n, p->r, p->y);
}

/* Each step's sum starts from values that depend on the sum of the step before. */
static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * (n - 1) + 5 * (n - 1),
                         .bytes = 8 * 3 * n,
                         .chain_fused = n * (n - 1) / 2 + 2 * (n - 1),
                         .chain_divisions = n - 1};
}
