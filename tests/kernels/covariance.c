/* covariance: the covariance matrix of the columns of data. */
#define M SIZE(0, 28, 80, 240, 1200, 2600)
#define N SIZE(1, 32, 100, 260, 1400, 3000)
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                               \
    a(temporary, double, data, COUNT2(N, n, M, m)) \
    a(output, double, cov, COUNT2(M, m, M, m))  \
    a(temporary, double, mean, COUNT1(M, m))
#include "kernel.h"

KERNEL void kernel_covariance(int m, int n, double float_n, ARRAY2(double, data, N, n, M, m),
                              ARRAY2(double, cov, M, m, M, m), ARRAY1(double, mean, M, m)) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= float_n - 1.0;
            cov[j][i] = cov[i][j];
        }
}

static void initialise(const struct problem *p) {
    VIEW2(double, data, M, m);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->m; j++)
            data[i][j] = (double)(i * j) / p->m + ratio(i + 3 * j, 7);
}

/* Fewer than two rows have no covariance: the divisor stays finite. */
static void run(const struct problem *p) {
    kernel_covariance(p->m, p->n, p->n > 1 ? p->n : 2, p->data, p->cov, p->mean);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = m * (m + 1) * n + 2 * m * n + m + m * (m + 1) / 2,
                         .bytes = 8 * (2 * n * m + 2 * m * m + 2 * m)};
}
