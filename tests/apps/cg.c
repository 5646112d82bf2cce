// Conjugate gradients with a sparse symmetric matrix in compressed rows, restarted in an outer loop that shifts the eigenvalue.
// Arguments: rows, outer iterations. In tests: 120 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NONZEROS_A_ROW 12
#define INNER 25

typedef struct {
    int n;
    int *rowstr;
    int *colidx;
    double *a;
} Matrix;

static double tran = 314159265.0;

/* A uniform number of the linear congruential generator with factor 5^13 modulo 2^46. */
static double randlc(double *x, double a) {
    const double r23 = 0x1p-23, r46 = 0x1p-46, t23 = 0x1p23, t46 = 0x1p46;
    double a1 = (int)(r23 * a), a2 = a - t23 * a1;
    double x1 = (int)(r23 * *x), x2 = *x - t23 * x1;
    double t1 = a1 * x2 + a2 * x1;
    double z = t1 - t23 * (int)(r23 * t1);
    double t3 = t23 * z + a2 * x2;
    *x = t3 - t46 * (int)(r46 * t3);
    return r46 * *x;
}

/* A symmetric pattern: each row has a few links to rows below it, and the links of those to it. */
static Matrix makea(int n) {
    int *count = calloc(n + 1, sizeof(int));
    int links = NONZEROS_A_ROW / 2;
    int *to = malloc(sizeof(int) * n * links);
    double *value = malloc(sizeof(double) * n * links);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < links; k++) {
            int j = (int)(randlc(&tran, 1220703125.0) * n);
            to[i * links + k] = j;
            value[i * links + k] = randlc(&tran, 1220703125.0);
            count[i + 1]++;
            count[j + 1]++;
        }
        count[i + 1]++;
    }
    Matrix m = {n, count, NULL, NULL};
    for (int i = 0; i < n; i++)
        count[i + 1] += count[i];
    m.colidx = malloc(sizeof(int) * count[n]);
    m.a = malloc(sizeof(double) * count[n]);
    int *place = malloc(sizeof(int) * n);
    for (int i = 0; i < n; i++)
        place[i] = m.rowstr[i];
    for (int i = 0; i < n; i++) {
        m.colidx[place[i]] = i;
        m.a[place[i]++] = 2.0 * NONZEROS_A_ROW;
        for (int k = 0; k < links; k++) {
            int j = to[i * links + k];
            m.colidx[place[i]] = j;
            m.a[place[i]++] = -value[i * links + k];
            m.colidx[place[j]] = i;
            m.a[place[j]++] = -value[i * links + k];
        }
    }
    free(place);
    free(to);
    free(value);
    return m;
}

static double conj_grad(const Matrix *m, const double x[], double z[], double p[], double q[], double r[]) {
    int j, k, it;
    double rho = 0.0;
    for (j = 0; j < m->n; j++) {
        q[j] = 0.0;
        z[j] = 0.0;
        r[j] = x[j];
        p[j] = r[j];
    }
    for (j = 0; j < m->n; j++)
        rho += r[j] * r[j];
    for (it = 1; it <= INNER; it++) {
        for (j = 0; j < m->n; j++) {
            double sum = 0.0;
            for (k = m->rowstr[j]; k < m->rowstr[j + 1]; k++)
                sum += m->a[k] * p[m->colidx[k]];
            q[j] = sum;
        }
        double d = 0.0;
        for (j = 0; j < m->n; j++)
            d += p[j] * q[j];
        double alpha = rho / d, rho0 = rho;
        rho = 0.0;
        for (j = 0; j < m->n; j++) {
            z[j] += alpha * p[j];
            r[j] -= alpha * q[j];
        }
        for (j = 0; j < m->n; j++)
            rho += r[j] * r[j];
        double beta = rho / rho0;
        for (j = 0; j < m->n; j++)
            p[j] = r[j] + beta * p[j];
    }
    double sum = 0.0;
    for (j = 0; j < m->n; j++) {
        double d = 0.0;
        for (k = m->rowstr[j]; k < m->rowstr[j + 1]; k++)
            d += m->a[k] * z[m->colidx[k]];
        r[j] = d;
    }
    for (j = 0; j < m->n; j++) {
        double d = x[j] - r[j];
        sum += d * d;
    }
    return sqrt(sum);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 40000;
    int outer = argc > 2 ? atoi(argv[2]) : 15;
    Matrix m = makea(n);
    double *x = malloc(sizeof(double) * n), *z = malloc(sizeof(double) * n), *p = malloc(sizeof(double) * n);
    double *q = malloc(sizeof(double) * n), *r = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++)
        x[i] = 1.0;
    double zeta = 0.0, rnorm = 0.0;
    for (int it = 0; it < outer; it++) {
        rnorm = conj_grad(&m, x, z, p, q, r);
        double xz = 0.0, zz = 0.0;
        for (int j = 0; j < n; j++) {
            xz += x[j] * z[j];
            zz += z[j] * z[j];
        }
        zz = 1.0 / sqrt(zz);
        zeta = 10.0 + 1.0 / xz;
        for (int j = 0; j < n; j++)
            x[j] = zz * z[j];
    }
    printf("residual %.17g zeta %.17g\n", rnorm, zeta);
    free(m.rowstr);
    free(m.colidx);
    free(m.a);
    free(x);
    free(z);
    free(p);
    free(q);
    free(r);
    return 0;
}
