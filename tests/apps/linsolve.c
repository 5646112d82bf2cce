// Dense linear systems: Gauss with partial pivoting on rows behind pointers, Cholesky on a flat matrix, an inverse, residuals.
// Arguments: unknowns. In tests: 19
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double **matrix_new(int n, int m) {
    double **a = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++)
        a[i] = calloc(m, sizeof(double));
    return a;
}

static void matrix_free(double **a, int n) {
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
}

static double entry(int i, int j, int n) {
    int v = (i * 7 + j * 13 + i * j) % 31;
    return v / 31.0 - 0.5 + (i == j ? 0.03 * n : 0.0);
}

static double **matrix_copy(double **a, int n) {
    double **b = matrix_new(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j];
    return b;
}

/* Overwrites a with its factors; perm holds the rows. Returns the sign of the permutation, 0 for a singular matrix. */
static int lu_decompose(double **a, int n, int *perm) {
    int sign = 1;
    for (int i = 0; i < n; i++)
        perm[i] = i;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        double most = fabs(a[k][k]);
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i][k]) > most) {
                most = fabs(a[i][k]);
                pivot = i;
            }
        }
        if (most == 0.0)
            return 0;
        if (pivot != k) {
            double *row = a[k];
            a[k] = a[pivot];
            a[pivot] = row;
            int p = perm[k];
            perm[k] = perm[pivot];
            perm[pivot] = p;
            sign = -sign;
        }
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return sign;
}

static void lu_solve(double **lu, int n, const int *perm, const double *b, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = b[perm[i]];
        for (int j = 0; j < i; j++)
            x[i] -= lu[i][j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= lu[i][j] * x[j];
        x[i] /= lu[i][i];
    }
}

static void invert(double **lu, int n, const int *perm, double **inverse) {
    double *unit = calloc(n, sizeof(double)), *column = malloc(n * sizeof(double));
    for (int c = 0; c < n; c++) {
        unit[c] = 1.0;
        lu_solve(lu, n, perm, unit, column);
        for (int i = 0; i < n; i++)
            inverse[i][c] = column[i];
        unit[c] = 0.0;
    }
    free(unit);
    free(column);
}

static double distance_from_identity(double **a, double **b, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            double off = fabs(sum - (i == j ? 1.0 : 0.0));
            if (off > most)
                most = off;
        }
    }
    return most;
}

/* The normal matrix a^T a in a flat array, and its Cholesky factor in place. */
static void normal_matrix(double **a, int n, double *s) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[k][i] * a[k][j];
            s[i * n + j] = s[j * n + i] = sum;
        }
    }
}

static void cholesky(double *s, int n) {
    for (int j = 0; j < n; j++) {
        double d = s[j * n + j];
        for (int k = 0; k < j; k++)
            d -= s[j * n + k] * s[j * n + k];
        d = sqrt(d);
        s[j * n + j] = d;
        for (int i = j + 1; i < n; i++) {
            double v = s[i * n + j];
            for (int k = 0; k < j; k++)
                v -= s[i * n + k] * s[j * n + k];
            s[i * n + j] = v / d;
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 420;
    double **a = matrix_new(n, n), **inverse = matrix_new(n, n);
    double *b = malloc(n * sizeof(double)), *x = malloc(n * sizeof(double)), *s = malloc(sizeof(double) * n * n);
    int *perm = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        b[i] = 1.0 + i % 5;
        for (int j = 0; j < n; j++)
            a[i][j] = entry(i, j, n);
    }
    double **lu = matrix_copy(a, n);
    int sign = lu_decompose(lu, n, perm);
    lu_solve(lu, n, perm, b, x);
    double log_determinant = 0.0, residual = 0.0;
    for (int i = 0; i < n; i++) {
        double r = b[i];
        for (int j = 0; j < n; j++)
            r -= a[i][j] * x[j];
        residual += r * r;
        log_determinant += log(fabs(lu[i][i]));
    }
    invert(lu, n, perm, inverse);
    normal_matrix(a, n, s);
    cholesky(s, n);
    double log_cholesky = 0.0;
    for (int i = 0; i < n; i++)
        log_cholesky += log(s[i * n + i]);
    printf("sign %d log det %.17g by Cholesky %.17g\n", sign, log_determinant, log_cholesky);
    printf("residual %.17g inverse off by %.17g\n", sqrt(residual), distance_from_identity(a, inverse, n));
    matrix_free(a, n);
    matrix_free(lu, n);
    matrix_free(inverse, n);
    free(b);
    free(x);
    free(s);
    free(perm);
    return 0;
}
