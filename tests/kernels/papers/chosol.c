/* CHOSOL (Kelly, Pugh 1995, Fig. 1): substitution with sums kept in an array; column-wise it runs in parallel. */
#define N SIZE(0, 40, 120, 400, 2000, 4000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(array)                             \
    array(input, double, a, COUNT2(N, n, N, n))   \
    array(output, double, b, COUNT1(N, n))        \
    array(temporary, double, sum, COUNT1(N, n))
#include "../kernel.h"

KERNEL void kernel_chosol(int n, ARRAY2(double, a, N, n, N, n), ARRAY1(double, b, N, n), ARRAY1(double, sum, N, n)) {
    for (int i = 1; i < n; i++) {
        sum[i] = 0.0;
        for (int j = 0; j < i; j++)
            sum[i] += a[j][i] * b[j];
        b[i] -= sum[i];
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, a, N, n);
    VIEW1(double, b);
    for (int i = 0; i < p->n; i++) {
        b[i] = i + 1;
        for (int j = 0; j < p->n; j++)
            a[i][j] = ratio(i + 2 * j, p->n) / p->n;
    }
}

static void run(const struct problem *p) {
    kernel_chosol(p->n, p->a, p->b, p->sum);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){
        .operations = n * n, .bytes = 8 * (n * (n - 1) / 2 + 4 * n), .chain_fused = 2 * n};
}
