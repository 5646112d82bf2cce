/* Multiplies two dense matrices the way a textbook does: C = A B. The same source runs tiled, vectorized and on all
 * cores when it is compiled with Polytile. The result goes to standard output, the time to standard error.
 *
 *   clang-22 -O3 -march=native -fopenmp -fpass-plugin=.../libpolytile.so product.c -o product && ./product
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) void multiply(int n, int m, int k, double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] = 0.0;
            for (int p = 0; p < k; p++)
                C[i][j] += A[i][p] * B[p][j];
        }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, m = n + 10, k = n + 20;
    double(*A)[k] = malloc(sizeof(double[n][k]));
    double(*B)[m] = malloc(sizeof(double[k][m]));
    double(*C)[m] = malloc(sizeof(double[n][m]));
    if (!A || !B || !C)
        return 1;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k; p++)
            A[i][p] = (i * p % 17) / 17.0;
    for (int p = 0; p < k; p++)
        for (int j = 0; j < m; j++)
            B[p][j] = (p * j % 13) / 13.0 - 0.5;

    double start = seconds();
    multiply(n, m, k, C, A, B);
    double elapsed = seconds() - start;

    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += C[i][j] * ((i + 2 * j) % 7);
    printf("%d x %d x %d: checksum %a\n", n, m, k, sum);
    fprintf(stderr, "seconds: %.4f\n", elapsed);
    return 0;
}
