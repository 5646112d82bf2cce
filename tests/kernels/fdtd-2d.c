/* fdtd-2d: electric and magnetic field in two dimensions by finite differences in time. */
#define TMAX SIZE(0, 20, 40, 100, 500, 1000)
#define NX SIZE(1, 20, 60, 200, 1000, 2000)
#define NY SIZE(2, 30, 80, 240, 1200, 2600)
#define NX_MINIMUM 1
#define DIMENSIONS(d) d(tmax, TMAX) d(nx, NX) d(ny, NY)
#define ARRAYS(a)                                \
    a(output, double, ex, COUNT2(NX, nx, NY, ny)) \
    a(output, double, ey, COUNT2(NX, nx, NY, ny)) \
    a(output, double, hz, COUNT2(NX, nx, NY, ny)) \
    a(input, double, _fict_, COUNT1(TMAX, tmax))
#include "kernel.h"

KERNEL void kernel_fdtd_2d(int tmax, int nx, int ny, ARRAY2(double, ex, NX, nx, NY, ny),
                           ARRAY2(double, ey, NX, nx, NY, ny), ARRAY2(double, hz, NX, nx, NY, ny),
                           ARRAY1(double, _fict_, TMAX, tmax)) {
    for (int t = 0; t < tmax; t++) {
        for (int j = 0; j < ny; j++)
            ey[0][j] = _fict_[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

static void initialise(const struct problem *p) {
    VIEW2(double, ex, NY, ny);
    VIEW2(double, ey, NY, ny);
    VIEW2(double, hz, NY, ny);
    VIEW1(double, _fict_);
    for (int t = 0; t < p->tmax; t++)
        _fict_[t] = t;
    for (int i = 0; i < p->nx; i++)
        for (int j = 0; j < p->ny; j++) {
            ex[i][j] = (double)(i * (j + 1)) / p->nx;
            ey[i][j] = (double)(i * (j + 2)) / p->ny;
            hz[i][j] = (double)(i * (j + 3)) / p->nx;
        }
}

static void run(const struct problem *p) {
    kernel_fdtd_2d(p->tmax, p->nx, p->ny, p->ex, p->ey, p->hz, p->_fict_);
}

static struct work work(const struct problem *p) {
    double t = p->tmax, nx = p->nx, ny = p->ny;
    return (struct work){.operations = 11 * t * nx * ny, .bytes = 8 * (6 * nx * ny + t), .chain_additions = 8 * t};
}
