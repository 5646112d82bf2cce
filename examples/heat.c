/* Lets heat spread over a plate: a five-point stencil, two arrays in turn, many time steps. The result goes to standard
 * output, the time to standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) void spread(int steps, int n, double now[n][n], double next[n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] =
                    now[i][j] + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4.0 * now[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                now[i][j] = next[i][j];
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1500, steps = argc > 2 ? atoi(argv[2]) : 200;
    double(*plate)[n] = malloc(sizeof(double[n][n]));
    double(*scratch)[n] = malloc(sizeof(double[n][n]));
    if (!plate || !scratch)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            scratch[i][j] = plate[i][j] = i == 0 ? 100.0 : (i * j % 29) / 2.9;

    double start = seconds();
    spread(steps, n, plate, scratch);
    double elapsed = seconds() - start;

    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += plate[i][j] * ((i + 2 * j) % 7);
    printf("%d x %d, %d steps: checksum %a\n", n, n, steps, sum);
    fprintf(stderr, "seconds: %.4f\n", elapsed);
    return 0;
}
