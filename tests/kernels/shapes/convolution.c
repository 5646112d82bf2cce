/* convolution: one layer of a neural network: every output plane is the sum of the input planes under 3 x 3 windows. */
#define NK SIZE(0, 4, 8, 24, 64, 128)
#define NC SIZE(1, 3, 8, 16, 48, 128)
#define NY SIZE(2, 6, 14, 28, 56, 112)
#define NX SIZE(3, 7, 14, 28, 56, 112)
#define DIMENSIONS(d) d(nk, NK) d(nc, NC) d(ny, NY) d(nx, NX)
#define ARRAYS(a)                                                              \
    a(output, float, out, COUNT3(NK, nk, NY, ny, NX, nx))                      \
    a(input, float, in, COUNT3(NC, nc, NY + 2, ny + 2, NX + 2, nx + 2))        \
    a(input, float, weight, COUNT2(NK, nk, NC, nc) * 9)
#include "../kernel.h"

KERNEL void kernel_convolution(int nk, int nc, int ny, int nx, ARRAY3(float, out, NK, nk, NY, ny, NX, nx),
                               ARRAY3(float, in, NC, nc, NY + 2, ny + 2, NX + 2, nx + 2),
                               ARRAY4(float, weight, NK, nk, NC, nc, 3, 3, 3, 3)) {
    for (int k = 0; k < nk; k++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                out[k][y][x] = 0.0f;
                for (int c = 0; c < nc; c++)
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            out[k][y][x] += in[c][y + r][x + s] * weight[k][c][r][s];
            }
}

static void initialise(const struct problem *p) {
    float *in = p->in, *weight = p->weight;
    size_t inputs = COUNT3(NC, nc, NY + 2, ny + 2, NX + 2, nx + 2), weights = COUNT2(NK, nk, NC, nc) * 9;
    for (size_t i = 0; i < inputs; i++)
        in[i] = (float)(i % 37) / 37 - 0.25f;
    for (size_t i = 0; i < weights; i++)
        weight[i] = (float)(i % 11) / 11 - 0.5f;
}

static void run(const struct problem *p) {
    kernel_convolution(p->nk, p->nc, p->ny, p->nx, p->out, p->in, p->weight);
}

static struct work work(const struct problem *p) {
    double nk = p->nk, nc = p->nc, ny = p->ny, nx = p->nx;
    return (struct work){.operations = 18 * nk * nc * ny * nx,
                         .bytes = 4 * (2 * nk * ny * nx + nc * (ny + 2) * (nx + 2) + 9 * nk * nc)};
}
