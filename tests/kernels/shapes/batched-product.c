/* batched-product: many small matrix products, one after the other. */
#define NB SIZE(0, 5, 40, 400, 4000, 40000)
#define N SIZE(1, 4, 7, 12, 20, 20)
#define DIMENSIONS(d) d(nb, NB) d(n, N)
#define BATCH(name) ARRAY3(double, name, NB, nb, N, n, N, n)
#define BATCHES COUNT3(NB, nb, N, n, N, n)
#define ARRAYS(array)                 \
    array(output, double, c, BATCHES) \
    array(input, double, a, BATCHES)  \
    array(input, double, b, BATCHES)
#include "../kernel.h"

KERNEL void kernel_batched_product(int nb, int n, BATCH(c), BATCH(a), BATCH(b)) {
    for (int m = 0; m < nb; m++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++)
                    sum += a[m][i][k] * b[m][k][j];
                c[m][i][j] = sum;
            }
}

static void initialise(const struct problem *p) {
    double *a = p->a, *b = p->b;
    for (size_t i = 0; i < BATCHES; i++) {
        a[i] = (double)(i % 17) / 17;
        b[i] = (double)(i % 23) / 23 - 0.5;
    }
}

static void run(const struct problem *p) {
    kernel_batched_product(p->nb, p->n, p->c, p->a, p->b);
}

static struct work work(const struct problem *p) {
    double nb = p->nb, n = p->n;
    return (struct work){.operations = 2 * nb * n * n * n, .bytes = 8 * 4 * nb * n * n};
}
