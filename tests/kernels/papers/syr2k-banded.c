/* Banded SYR2K (Kelly, Pugh 1995, Fig. 1): a rank-2k update of matrices in band storage; bounds are minima and maxima of
 * three affine forms. A, B are n x (2b-1), C is n x (2b-1), its column the distance from the diagonal. */
#define N SIZE(0, 40, 120, 400, 1000, 2000)
#define B SIZE(1, 6, 14, 30, 60, 100)
#define B_MINIMUM 1
#define DIMENSIONS(d) d(n, N) d(b, B)
#define BAND ((size_t)(2 * EXTENT(B, p->b) - 1))
#define ARRAYS(a)                               \
    a(output, double, C, COUNT1(N, n) * BAND)   \
    a(input, double, X, COUNT1(N, n) * BAND)    \
    a(input, double, Y, COUNT1(N, n) * BAND)
#include "../kernel.h"
#define BANDED(name) ARRAY2(double, name, N, n, 2 * B - 1, 2 * b - 1)

static inline int minimum(int x, int y) {
    return x < y ? x : y;
}

static inline int maximum(int x, int y) {
    return x > y ? x : y;
}

KERNEL void kernel_syr2k_banded(int n, int b, double alpha, BANDED(C), BANDED(X), BANDED(Y)) {
    for (int i = 0; i < n; i++)
        for (int j = i; j <= minimum(i + 2 * b - 2, n - 1); j++)
            for (int k = maximum(maximum(i - b + 1, j - b + 1), 0); k <= minimum(minimum(i + b - 1, j + b - 1), n - 1);
                 k++)
                C[i][j - i] += alpha * X[k][i - k + b - 1] * Y[k][j - k + b - 1] +
                               alpha * X[k][j - k + b - 1] * Y[k][i - k + b - 1];
}

static void initialise(const struct problem *p) {
    VIEW2(double, C, 2 * B - 1, b * 2 - 1);
    VIEW2(double, X, 2 * B - 1, b * 2 - 1);
    VIEW2(double, Y, 2 * B - 1, b * 2 - 1);
    for (int i = 0; i < p->n; i++)
        for (int d = 0; d < 2 * p->b - 1; d++) {
            C[i][d] = ratio(i + d, 7);
            X[i][d] = ratio(i * d + 1, 11);
            Y[i][d] = ratio(i * d + 2, 13);
        }
}

static void run(const struct problem *p) {
    kernel_syr2k_banded(p->n, p->b, 1.5, p->C, p->X, p->Y);
}

/* Interior rows: element (i, i + d) sums 2b - 1 - d terms of five operations. */
static struct work work(const struct problem *p) {
    double n = p->n, b = p->b;
    return (struct work){.operations = 5 * n * b * (2 * b - 1), .bytes = 8 * 4 * n * (2 * b - 1)};
}
