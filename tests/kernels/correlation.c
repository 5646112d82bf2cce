/* correlation: the correlation matrix of the columns of data. */
#define M SIZE(0, 28, 80, 240, 1200, 2600)
#define N SIZE(1, 32, 100, 260, 1400, 3000)
#define M_MINIMUM 1
#define DIMENSIONS(d) d(m, M) d(n, N)
#define ARRAYS(a)                               \
    a(temporary, double, data, COUNT2(N, n, M, m)) \
    a(output, double, corr, COUNT2(M, m, M, m)) \
    a(temporary, double, mean, COUNT1(M, m))    \
    a(temporary, double, stddev, COUNT1(M, m))
#include "kernel.h"
#include <math.h>

KERNEL void kernel_correlation(int m, int n, double float_n, ARRAY2(double, data, N, n, M, m),
                               ARRAY2(double, corr, M, m, M, m), ARRAY1(double, mean, M, m),
                               ARRAY1(double, stddev, M, m)) {
    const double eps = 0.1;
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (int j = 0; j < m; j++) {
        stddev[j] = 0.0;
        for (int i = 0; i < n; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }
    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = 1.0;
}

static void initialise(const struct problem *p) {
    VIEW2(double, data, M, m);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->m; j++)
            data[i][j] = (double)(i * j) / p->m + i + ratio(i + 3 * j, 7);
}

static void run(const struct problem *p) {
    kernel_correlation(p->m, p->n, p->n > 0 ? p->n : 1, p->data, p->corr, p->mean, p->stddev);
}

static struct work work(const struct problem *p) {
    double m = p->m, n = p->n;
    return (struct work){.operations = m * (m - 1) * n + 6 * m * n + 4 * m,
                         .bytes = 8 * (2 * n * m + 2 * m * m + 4 * m)};
}
