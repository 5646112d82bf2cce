// Geometric multigrid for Poisson's equation in a box: V-cycles with weighted Jacobi, full weighting and trilinear correction.
// Arguments: cells per side (a power of two), cycles. In tests: 8 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int dim;               /* interior cells per side */
    int jStride, kStride;  /* of a box with one layer of ghosts */
    int volume;
    double h;
    double *u, *f, *r, *tmp;
} Level;

typedef struct {
    int count;
    Level *level;
} Hierarchy;

static void create_level(Level *l, int dim) {
    l->dim = dim;
    l->jStride = dim + 2;
    l->kStride = (dim + 2) * (dim + 2);
    l->volume = l->kStride * (dim + 2);
    l->h = 1.0 / dim;
    l->u = calloc(l->volume, sizeof(double));
    l->f = calloc(l->volume, sizeof(double));
    l->r = calloc(l->volume, sizeof(double));
    l->tmp = calloc(l->volume, sizeof(double));
}

static Hierarchy create(int dim) {
    Hierarchy h = {0, NULL};
    for (int d = dim; d >= 2; d /= 2)
        h.count++;
    h.level = malloc(h.count * sizeof(Level));
    for (int i = 0; i < h.count; i++)
        create_level(&h.level[i], dim >> i);
    return h;
}

static void destroy(Hierarchy *h) {
    for (int i = 0; i < h->count; i++) {
        free(h->level[i].u);
        free(h->level[i].f);
        free(h->level[i].r);
        free(h->level[i].tmp);
    }
    free(h->level);
}

/* Zero values at the walls: ghosts mirror the cells with the other sign. */
static void ghosts(const Level *l, double *x) {
    int n = l->dim, js = l->jStride, ks = l->kStride;
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            x[j * js + k * ks] = -x[1 + j * js + k * ks];
            x[n + 1 + j * js + k * ks] = -x[n + j * js + k * ks];
        }
    }
    for (int k = 1; k <= n; k++) {
        for (int i = 0; i <= n + 1; i++) {
            x[i + k * ks] = -x[i + js + k * ks];
            x[i + (n + 1) * js + k * ks] = -x[i + n * js + k * ks];
        }
    }
    for (int j = 0; j <= n + 1; j++) {
        for (int i = 0; i <= n + 1; i++) {
            x[i + j * js] = -x[i + j * js + ks];
            x[i + j * js + (n + 1) * ks] = -x[i + j * js + n * ks];
        }
    }
}

static void smooth(Level *l, int sweeps) {
    int i, j, k, s;
    double h2 = l->h * l->h, weight = 6.0 / 7.0 / 6.0;
    for (s = 0; s < sweeps; s++) {
        const double *u = (s & 1) ? l->tmp : l->u;
        double *out = (s & 1) ? l->u : l->tmp;
        ghosts(l, (double *)u);
        for (k = 1; k <= l->dim; k++) {
            for (j = 1; j <= l->dim; j++) {
                for (i = 1; i <= l->dim; i++) {
                    int ijk = i + j * l->jStride + k * l->kStride;
                    double around = u[ijk - 1] + u[ijk + 1] + u[ijk - l->jStride] + u[ijk + l->jStride] +
                                    u[ijk - l->kStride] + u[ijk + l->kStride];
                    out[ijk] = u[ijk] + weight * (h2 * l->f[ijk] - 6.0 * u[ijk] + around);
                }
            }
        }
    }
}

static void residual(Level *l) {
    int i, j, k;
    double scale = 1.0 / (l->h * l->h);
    ghosts(l, l->u);
    for (k = 1; k <= l->dim; k++) {
        for (j = 1; j <= l->dim; j++) {
            for (i = 1; i <= l->dim; i++) {
                int ijk = i + j * l->jStride + k * l->kStride;
                double au = 6.0 * l->u[ijk] - l->u[ijk - 1] - l->u[ijk + 1] - l->u[ijk - l->jStride] -
                            l->u[ijk + l->jStride] - l->u[ijk - l->kStride] - l->u[ijk + l->kStride];
                l->r[ijk] = l->f[ijk] - scale * au;
            }
        }
    }
}

static void restriction(const Level *fine, Level *coarse) {
    for (int k = 1; k <= coarse->dim; k++) {
        for (int j = 1; j <= coarse->dim; j++) {
            for (int i = 1; i <= coarse->dim; i++) {
                int c = i + j * coarse->jStride + k * coarse->kStride;
                int f = (2 * i - 1) + (2 * j - 1) * fine->jStride + (2 * k - 1) * fine->kStride;
                coarse->f[c] = 0.125 * (fine->r[f] + fine->r[f + 1] + fine->r[f + fine->jStride] +
                                        fine->r[f + 1 + fine->jStride] + fine->r[f + fine->kStride] +
                                        fine->r[f + 1 + fine->kStride] + fine->r[f + fine->jStride + fine->kStride] +
                                        fine->r[f + 1 + fine->jStride + fine->kStride]);
            }
        }
    }
}

static void interpolation(Level *fine, Level *coarse) {
    ghosts(coarse, coarse->u);
    for (int k = 1; k <= fine->dim; k++) {
        int ks = (k & 1) ? -coarse->kStride : coarse->kStride;
        for (int j = 1; j <= fine->dim; j++) {
            int js = (j & 1) ? -coarse->jStride : coarse->jStride;
            for (int i = 1; i <= fine->dim; i++) {
                int is = (i & 1) ? -1 : 1;
                int f = i + j * fine->jStride + k * fine->kStride;
                int c = ((i + 1) >> 1) + ((j + 1) >> 1) * coarse->jStride + ((k + 1) >> 1) * coarse->kStride;
                const double *u = coarse->u;
                fine->u[f] += 0.421875 * u[c] + 0.140625 * (u[c + is] + u[c + js] + u[c + ks]) +
                              0.046875 * (u[c + is + js] + u[c + is + ks] + u[c + js + ks]) +
                              0.015625 * u[c + is + js + ks];
            }
        }
    }
}

static double norm(const Level *l, const double *x) {
    double most = 0.0;
    for (int k = 1; k <= l->dim; k++)
        for (int j = 1; j <= l->dim; j++)
            for (int i = 1; i <= l->dim; i++) {
                double v = fabs(x[i + j * l->jStride + k * l->kStride]);
                most = v > most ? v : most;
            }
    return most;
}

static void cycle(Hierarchy *h, int at) {
    Level *l = &h->level[at];
    if (at == h->count - 1) {
        smooth(l, 30);
        return;
    }
    smooth(l, 4);
    residual(l);
    restriction(l, &h->level[at + 1]);
    memset(h->level[at + 1].u, 0, h->level[at + 1].volume * sizeof(double));
    cycle(h, at + 1);
    interpolation(l, &h->level[at + 1]);
    smooth(l, 4);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 128;
    int cycles = argc > 2 ? atoi(argv[2]) : 8;
    Hierarchy h = create(n);
    Level *top = &h.level[0];
    const double pi = 3.14159265358979323846;
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                top->f[i + j * top->jStride + k * top->kStride] =
                    sin(pi * (i - 0.5) * top->h) * sin(2 * pi * (j - 0.5) * top->h) * (k < n / 2 ? 1.0 : -1.0);
    for (int c = 0; c < cycles; c++) {
        cycle(&h, 0);
        if (c % 10 == 9 || c == cycles - 1) {
            residual(top);
            printf("cycle %d residual %.17g\n", c + 1, norm(top, top->r));
        }
    }
    printf("solution %.17g\n", norm(top, top->u));
    destroy(&h);
    return 0;
}
