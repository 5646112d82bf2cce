/* floyd-warshall: shortest paths between all pairs of vertices. */
#define N SIZE(0, 60, 180, 500, 2800, 5600)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a) a(output, int, path, COUNT2(N, n, N, n))
#include "kernel.h"

KERNEL void kernel_floyd_warshall(int n, ARRAY2(int, path, N, n, N, n)) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

static void initialise(const struct problem *p) {
    VIEW2(int, path, N, n);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            int sum = i + j;
            path[i][j] = sum % 13 == 0 || sum % 7 == 0 || sum % 11 == 0 ? 999 : i * j % 7 + 1;
        }
}

static void run(const struct problem *p) {
    kernel_floyd_warshall(p->n, p->path);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = 2 * n * n * n, .bytes = 4 * 2 * n * n};
}
