/* Smooths a picture along its rows, then along its columns, and mirrors what comes out for the next round. The result goes to
 * standard output, the time to standard error. docs/tutorial.md goes through this program step by step. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) void smooth(int n, int m, double in[n][m], double tmp[n][m], double out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            tmp[i][j] = 0.25 * in[i][j - 1] + 0.5 * in[i][j] + 0.25 * in[i][j + 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[i][j] = 0.25 * tmp[i - 1][j] + 0.5 * tmp[i][j] + 0.25 * tmp[i + 1][j];
}

__attribute__((noinline)) void mirror(int n, int m, double to[n][m], const int place[m], double from[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][place[j]] = from[i][j];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 2000;
    double(*in)[n] = malloc(sizeof(double[n][n])), (*tmp)[n] = malloc(sizeof(double[n][n]));
    double(*out)[n] = calloc(1, sizeof(double[n][n]));
    int *place = malloc(sizeof(int[n]));
    if (!in || !tmp || !out || !place)
        return 1;
    for (int j = 0; j < n; j++)
        place[j] = n - 1 - j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            in[i][j] = (i * (j + 3) % 101) / 10.0;

    double start = seconds();
    for (int round = 0; round < 10; round++) {
        smooth(n, n, in, tmp, out);
        mirror(n, n, in, place, out);
    }
    double elapsed = seconds() - start;

    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += out[i][j] * ((i + 2 * j) % 7);
    printf("%d x %d: checksum %a\n", n, n, sum);
    fprintf(stderr, "seconds: %.4f\n", elapsed);
    return 0;
}
