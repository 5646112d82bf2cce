/* advect3d (Pouchet et al. 2011, Table 1): fluxes of an advected quantity through the faces of each cell in three
 * directions, then the balance of every cell. Four statements, one nest each; fusion of all needs a shift. */
#define NX SIZE(0, 10, 20, 40, 120, 300)
#define NY SIZE(1, 12, 24, 44, 130, 300)
#define NZ SIZE(2, 14, 28, 48, 140, 300)
#define HALO 8
#define DIMENSIONS(d) d(nx, NX) d(ny, NY) d(nz, NZ)
/* Arrays are [y][x][z] with a halo around the cells. */
#define VOLUME                                                                          \
    ((size_t)(EXTENT(NY, p->ny) + HALO) * (size_t)(EXTENT(NX, p->nx) + HALO) *          \
     (size_t)(EXTENT(NZ, p->nz) + HALO))
#define ARRAYS(array)                     \
    array(input, double, a, VOLUME)       \
    array(output, double, ab, VOLUME)     \
    array(output, double, al, VOLUME)     \
    array(output, double, af, VOLUME)     \
    array(output, double, athird, VOLUME) \
    array(input, double, uxl, VOLUME)     \
    array(input, double, uyb, VOLUME)     \
    array(input, double, uzf, VOLUME)
#include "../kernel.h"
#define FIELD(name) ARRAY3(double, name, NY + HALO, ny + HALO, NX + HALO, nx + HALO, NZ + HALO, nz + HALO)

KERNEL void kernel_advect3d(int nx, int ny, int nz, double f60, double f61, double f62, double dtdx, double dtdy,
                            double dtdz, FIELD(a), FIELD(ab), FIELD(al), FIELD(af), FIELD(athird), FIELD(uxl),
                            FIELD(uyb), FIELD(uzf)) {
    for (int k = 4; k <= nz + 4; k++)
        for (int j = 4; j <= ny + 4; j++)
            for (int i = 4; i <= nx + 4; i++)
                ab[j][i][k] = (f60 * (a[j - 1][i][k] + a[j][i][k]) + f61 * (a[j - 2][i][k] + a[j + 1][i][k]) +
                               f62 * (a[j - 3][i][k] + a[j + 2][i][k])) *
                              dtdy * uyb[j][i][k];
    for (int k = 4; k <= nz + 4; k++)
        for (int j = 4; j <= ny + 4; j++)
            for (int i = 4; i <= nx + 4; i++)
                al[j][i][k] = (f60 * (a[j][i - 1][k] + a[j][i][k]) + f61 * (a[j][i - 2][k] + a[j][i + 1][k]) +
                               f62 * (a[j][i - 3][k] + a[j][i + 2][k])) *
                              dtdx * uxl[j][i][k];
    for (int k = 4; k <= nz + 4; k++)
        for (int j = 4; j <= ny + 4; j++)
            for (int i = 4; i <= nx + 4; i++)
                af[j][i][k] = (f60 * (a[j][i][k - 1] + a[j][i][k]) + f61 * (a[j][i][k - 2] + a[j][i][k + 1]) +
                               f62 * (a[j][i][k - 3] + a[j][i][k + 2])) *
                              dtdz * uzf[j][i][k];
    for (int k = 4; k < nz + 4; k++)
        for (int j = 4; j < ny + 4; j++)
            for (int i = 4; i < nx + 4; i++)
                athird[j][i][k] = a[j][i][k] + (al[j][i + 1][k] - al[j][i][k]) + (ab[j + 1][i][k] - ab[j][i][k]) +
                                  (af[j][i][k + 1] - af[j][i][k]);
}

static void initialise(const struct problem *p) {
    VIEW3(double, a, NX + HALO, nx + HALO, NZ + HALO, nz + HALO);
    VIEW3(double, uxl, NX + HALO, nx + HALO, NZ + HALO, nz + HALO);
    VIEW3(double, uyb, NX + HALO, nx + HALO, NZ + HALO, nz + HALO);
    VIEW3(double, uzf, NX + HALO, nx + HALO, NZ + HALO, nz + HALO);
    for (int j = 0; j < p->ny + HALO; j++)
        for (int i = 0; i < p->nx + HALO; i++)
            for (int k = 0; k < p->nz + HALO; k++) {
                a[j][i][k] = ratio(i * j + k, 19);
                uxl[j][i][k] = ratio(i + j + k, 11);
                uyb[j][i][k] = ratio(i + 2 * j + k, 13);
                uzf[j][i][k] = ratio(i + j + 3 * k, 17);
            }
}

static void run(const struct problem *p) {
    kernel_advect3d(p->nx, p->ny, p->nz, 37.0 / 60, -8.0 / 60, 1.0 / 60, 0.1, 0.2, 0.3, p->a, p->ab, p->al, p->af,
                    p->athird, p->uxl, p->uyb, p->uzf);
}

static struct work work(const struct problem *p) {
    double faces = (p->nx + 1.0) * (p->ny + 1.0) * (p->nz + 1.0), cells = (double)p->nx * p->ny * p->nz;
    return (struct work){.operations = 30 * faces + 6 * cells, .bytes = 8 * (4 * faces + 6 * faces + 2 * cells)};
}
