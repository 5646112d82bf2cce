// Shallow water over a bump: conservative fluxes by Rusanov on cell faces, reflecting walls, two states that are swapped.
// Arguments: cells per side, steps. In tests: 20 4
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY 9.81
#define AT(g, i, j) ((j) * ((g)->nx + 2) + (i))

typedef struct {
    int nx, ny;
    double dx, dy;
} Grid;

typedef struct {
    double *h;  /* depth */
    double *hu; /* discharge along x */
    double *hv; /* discharge along y */
} State;

typedef struct {
    double h, hu, hv;
} Flux;

static double *field(const Grid *g) {
    double *f = calloc((size_t)(g->nx + 2) * (g->ny + 2), sizeof(double));
    if (!f) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return f;
}

static State new_state(const Grid *g) {
    State s = {field(g), field(g), field(g)};
    return s;
}

static void free_state(State *s) {
    free(s->h);
    free(s->hu);
    free(s->hv);
}

static void initialise(const Grid *g, State *s) {
    for (int j = 1; j <= g->ny; j++) {
        for (int i = 1; i <= g->nx; i++) {
            double x = (i - 0.5) * g->dx - 0.4;
            double y = (j - 0.5) * g->dy - 0.5;
            s->h[AT(g, i, j)] = 1.0 + 0.4 * exp(-60.0 * (x * x + y * y));
        }
    }
}

static void walls(const Grid *g, State *s) {
    for (int j = 1; j <= g->ny; j++) {
        s->h[AT(g, 0, j)] = s->h[AT(g, 1, j)];
        s->hu[AT(g, 0, j)] = -s->hu[AT(g, 1, j)];
        s->hv[AT(g, 0, j)] = s->hv[AT(g, 1, j)];
        s->h[AT(g, g->nx + 1, j)] = s->h[AT(g, g->nx, j)];
        s->hu[AT(g, g->nx + 1, j)] = -s->hu[AT(g, g->nx, j)];
        s->hv[AT(g, g->nx + 1, j)] = s->hv[AT(g, g->nx, j)];
    }
    for (int i = 0; i <= g->nx + 1; i++) {
        s->h[AT(g, i, 0)] = s->h[AT(g, i, 1)];
        s->hu[AT(g, i, 0)] = s->hu[AT(g, i, 1)];
        s->hv[AT(g, i, 0)] = -s->hv[AT(g, i, 1)];
        s->h[AT(g, i, g->ny + 1)] = s->h[AT(g, i, g->ny)];
        s->hu[AT(g, i, g->ny + 1)] = s->hu[AT(g, i, g->ny)];
        s->hv[AT(g, i, g->ny + 1)] = -s->hv[AT(g, i, g->ny)];
    }
}

/* Largest wave speed, for the time step. */
static double fastest(const Grid *g, const State *s) {
    double most = 0.0;
    for (int j = 1; j <= g->ny; j++) {
        for (int i = 1; i <= g->nx; i++) {
            int c = AT(g, i, j);
            double u = fabs(s->hu[c] / s->h[c]);
            double v = fabs(s->hv[c] / s->h[c]);
            double speed = (u > v ? u : v) + sqrt(GRAVITY * s->h[c]);
            if (speed > most)
                most = speed;
        }
    }
    return most;
}

/* Rusanov's flux between two cells, n being the discharge across the face and t the one along it. */
static inline Flux rusanov(double hl, double nl, double tl, double hr, double nr, double tr) {
    double ul = nl / hl, ur = nr / hr;
    double al = fabs(ul) + sqrt(GRAVITY * hl), ar = fabs(ur) + sqrt(GRAVITY * hr);
    double a = al > ar ? al : ar;
    Flux f;
    f.h = 0.5 * (nl + nr) - 0.5 * a * (hr - hl);
    f.hu = 0.5 * (nl * ul + 0.5 * GRAVITY * hl * hl + nr * ur + 0.5 * GRAVITY * hr * hr) - 0.5 * a * (nr - nl);
    f.hv = 0.5 * (tl * ul + tr * ur) - 0.5 * a * (tr - tl);
    return f;
}

static void advance(const Grid *g, const State *old, State *new, double dt) {
    double cx = dt / g->dx, cy = dt / g->dy;
    for (int j = 1; j <= g->ny; j++) {
        for (int i = 1; i <= g->nx; i++) {
            int c = AT(g, i, j), w = AT(g, i - 1, j), e = AT(g, i + 1, j), s = AT(g, i, j - 1), n = AT(g, i, j + 1);
            Flux fw = rusanov(old->h[w], old->hu[w], old->hv[w], old->h[c], old->hu[c], old->hv[c]);
            Flux fe = rusanov(old->h[c], old->hu[c], old->hv[c], old->h[e], old->hu[e], old->hv[e]);
            Flux fs = rusanov(old->h[s], old->hv[s], old->hu[s], old->h[c], old->hv[c], old->hu[c]);
            Flux fn = rusanov(old->h[c], old->hv[c], old->hu[c], old->h[n], old->hv[n], old->hu[n]);
            new->h[c] = old->h[c] - cx * (fe.h - fw.h) - cy * (fn.h - fs.h);
            new->hu[c] = old->hu[c] - cx * (fe.hu - fw.hu) - cy * (fn.hv - fs.hv);
            new->hv[c] = old->hv[c] - cx * (fe.hv - fw.hv) - cy * (fn.hu - fs.hu);
        }
    }
}

static double mass(const Grid *g, const State *s) {
    double sum = 0.0;
    for (int j = 1; j <= g->ny; j++)
        for (int i = 1; i <= g->nx; i++)
            sum += s->h[AT(g, i, j)];
    return sum * g->dx * g->dy;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 400;
    int steps = argc > 2 ? atoi(argv[2]) : 100;
    Grid g = {n, n, 1.0 / n, 1.0 / n};
    State a = new_state(&g), b = new_state(&g);
    State *now = &a, *next = &b;
    double time = 0.0;
    initialise(&g, now);
    double before = mass(&g, now);
    for (int step = 0; step < steps; step++) {
        double dt = 0.4 * g.dx / fastest(&g, now);
        walls(&g, now);
        advance(&g, now, next, dt);
        State *swap = now;
        now = next;
        next = swap;
        time += dt;
    }
    double momentum = 0.0;
    for (int c = 0; c < (n + 2) * (n + 2); c++)
        momentum += now->hu[c] * now->hu[c] + now->hv[c] * now->hv[c];
    printf("time %.17g mass %.17g lost %.17g momentum %.17g\n", time, mass(&g, now), before - mass(&g, now), momentum);
    free_state(&a);
    free_state(&b);
    return 0;
}
