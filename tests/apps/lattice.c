// Lattice Boltzmann, nine velocities in the plane: flow past discs in a channel, streaming from the neighbours and bounce-back.
// Arguments: width, height, steps. In tests: 40 20 5
#include <stdio.h>
#include <stdlib.h>

#define Q 9

static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[Q] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

typedef struct {
    int nx, ny;
    double omega;
    double inflow;
    double *f;      /* distributions, nine to a cell */
    double *next;   /* after streaming */
    char *solid;
} Lattice;

static inline int cell(const Lattice *l, int x, int y) { return (y * l->nx + x) * Q; }

static void equilibrium(double rho, double ux, double uy, double *feq) {
    double square = 1.5 * (ux * ux + uy * uy);
    for (int q = 0; q < Q; q++) {
        double cu = 3.0 * (cx[q] * ux + cy[q] * uy);
        feq[q] = weight[q] * rho * (1.0 + cu + 0.5 * cu * cu - square);
    }
}

static void initialise(Lattice *l) {
    for (int y = 0; y < l->ny; y++) {
        for (int x = 0; x < l->nx; x++) {
            equilibrium(1.0, l->inflow, 0.0, &l->f[cell(l, x, y)]);
            l->solid[y * l->nx + x] = y == 0 || y == l->ny - 1;
        }
    }
    int r = l->ny / 9 + 1;
    for (int disc = 0; disc < 3; disc++) {
        int mx = l->nx / 5 + disc * l->nx / 4, my = l->ny / 2 + (disc - 1) * l->ny / 6;
        for (int y = 0; y < l->ny; y++)
            for (int x = 0; x < l->nx; x++)
                if ((x - mx) * (x - mx) + (y - my) * (y - my) < r * r)
                    l->solid[y * l->nx + x] = 1;
    }
}

static void collide(Lattice *l) {
    for (int y = 0; y < l->ny; y++) {
        for (int x = 0; x < l->nx; x++) {
            double *f = &l->f[cell(l, x, y)];
            if (l->solid[y * l->nx + x]) {
                double turned[Q];
                for (int q = 0; q < Q; q++)
                    turned[q] = f[opposite[q]];
                for (int q = 0; q < Q; q++)
                    f[q] = turned[q];
                continue;
            }
            double rho = 0.0, ux = 0.0, uy = 0.0, feq[Q];
            for (int q = 0; q < Q; q++) {
                rho += f[q];
                ux += f[q] * cx[q];
                uy += f[q] * cy[q];
            }
            ux /= rho;
            uy /= rho;
            equilibrium(rho, ux, uy, feq);
            for (int q = 0; q < Q; q++)
                f[q] += l->omega * (feq[q] - f[q]);
        }
    }
}

static void stream(Lattice *l) {
    for (int y = 0; y < l->ny; y++) {
        for (int x = 0; x < l->nx; x++) {
            for (int q = 0; q < Q; q++) {
                int sx = (x - cx[q] + l->nx) % l->nx;
                int sy = y - cy[q];
                if (sy < 0)
                    sy = l->ny - 1;
                if (sy >= l->ny)
                    sy = 0;
                l->next[cell(l, x, y) + q] = l->f[cell(l, sx, sy) + q];
            }
        }
    }
    double *swap = l->f;
    l->f = l->next;
    l->next = swap;
}

static void drive(Lattice *l) {
    for (int y = 1; y < l->ny - 1; y++)
        equilibrium(1.0, l->inflow, 0.0, &l->f[cell(l, 0, y)]);
    for (int y = 1; y < l->ny - 1; y++)
        for (int q = 0; q < Q; q++)
            l->f[cell(l, l->nx - 1, y) + q] = l->f[cell(l, l->nx - 2, y) + q];
}

int main(int argc, char **argv) {
    Lattice l = {.omega = 1.6, .inflow = 0.08};
    l.nx = argc > 1 ? atoi(argv[1]) : 400;
    l.ny = argc > 2 ? atoi(argv[2]) : 160;
    int steps = argc > 3 ? atoi(argv[3]) : 250;
    size_t cells = (size_t)l.nx * l.ny;
    l.f = malloc(cells * Q * sizeof *l.f);
    l.next = malloc(cells * Q * sizeof *l.next);
    l.solid = malloc(cells);
    initialise(&l);
    for (int step = 0; step < steps; step++) {
        collide(&l);
        stream(&l);
        drive(&l);
    }
    double mass = 0.0, drift = 0.0;
    for (int y = 0; y < l.ny; y++) {
        for (int x = 0; x < l.nx; x++) {
            for (int q = 0; q < Q; q++) {
                mass += l.f[cell(&l, x, y) + q];
                drift += cx[q] * l.f[cell(&l, x, y) + q];
            }
        }
    }
    printf("mass %.17g drift %.17g\n", mass, drift);
    free(l.f);
    free(l.next);
    free(l.solid);
    return 0;
}
