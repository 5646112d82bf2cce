/* Three loops in a row (Cohen, Girbal, Temam 2004, Fig. 7): as three-loops, but the second loop also reads the first
 * element of a, and the third reads a. Fusion stays legal, contraction of a does not. */
#define N SIZE(0, 40, 200, 1000, 100000, 1000000)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(array)                      \
    array(output, double, a, COUNT1(N, n)) \
    array(output, double, b, COUNT1(N, n)) \
    array(output, double, c, COUNT1(N, n))
#include "../kernel.h"

KERNEL void kernel_three_loops_carried(int n, ARRAY1(double, a, N, n), ARRAY1(double, b, N, n),
                                       ARRAY1(double, c, N, n)) {
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * i + 1.0;
    for (int i = 0; i < n - 1; i++)
        b[i] = a[i] * a[0] - 2.0;
    for (int i = 0; i < n; i++)
        c[i] = 3.0 * b[i] + a[i];
}

static void initialise(const struct problem *p) {
    VIEW1(double, b);
    for (int i = 0; i < p->n; i++)
        b[i] = ratio(i, 7);
}

static void run(const struct problem *p) {
    kernel_three_loops_carried(p->n, p->a, p->b, p->c);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 6 * n, .bytes = 8 * 6 * n};
}
