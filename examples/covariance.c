/* Statistics of a table of measurements: the mean of every column, and the covariance of every pair of columns. The
 * result goes to standard output, the time to standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) void statistics(int rows, int columns, double table[rows][columns], double mean[columns],
                                          double covariance[columns][columns]) {
    for (int j = 0; j < columns; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < rows; i++)
            mean[j] += table[i][j];
        mean[j] /= rows;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table[i][j] -= mean[j];
    for (int a = 0; a < columns; a++)
        for (int b = a; b < columns; b++) {
            double sum = 0.0;
            for (int i = 0; i < rows; i++)
                sum += table[i][a] * table[i][b];
            covariance[a][b] = sum / (rows - 1.0);
            covariance[b][a] = covariance[a][b];
        }
}

int main(int argc, char **argv) {
    int columns = argc > 1 ? atoi(argv[1]) : 900, rows = argc > 2 ? atoi(argv[2]) : 1100;
    double(*table)[columns] = malloc(sizeof(double[rows][columns]));
    double *mean = malloc(sizeof(double[columns]));
    double(*covariance)[columns] = malloc(sizeof(double[columns][columns]));
    if (!table || !mean || !covariance)
        return 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table[i][j] = (i * (j + 3) % 101) / 10.0;

    double start = seconds();
    statistics(rows, columns, table, mean, covariance);
    double elapsed = seconds() - start;

    double sum = 0.0;
    for (int a = 0; a < columns; a++)
        for (int b = 0; b < columns; b++)
            sum += covariance[a][b] * ((a + 2 * b) % 7);
    printf("%d columns of %d values: checksum %a\n", columns, rows, sum);
    fprintf(stderr, "seconds: %.4f\n", elapsed);
    return 0;
}
