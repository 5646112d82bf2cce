/* blur: a separable filter of an image of three channels, first along the rows, then along the columns. */
#define NY SIZE(0, 10, 40, 200, 1600, 3200)
#define NX SIZE(1, 12, 48, 220, 2000, 4000)
#define DIMENSIONS(d) d(ny, NY) d(nx, NX)
#define ARRAYS(array)                                                \
    array(output, float, out, COUNT2(NY, ny, NX, nx) * 3)            \
    array(input, float, in, COUNT2(NY + 4, ny + 4, NX + 4, nx + 4) * 3) \
    array(temporary, float, rows, COUNT2(NY + 4, ny + 4, NX, nx) * 3)
#include "../kernel.h"

KERNEL void kernel_blur(int ny, int nx, float w0, float w1, float w2, ARRAY3(float, out, NY, ny, NX, nx, 3, 3),
                        ARRAY3(float, in, NY + 4, ny + 4, NX + 4, nx + 4, 3, 3),
                        ARRAY3(float, rows, NY + 4, ny + 4, NX, nx, 3, 3)) {
    for (int y = 0; y < ny + 4; y++)
        for (int x = 0; x < nx; x++)
            for (int c = 0; c < 3; c++)
                rows[y][x][c] = w0 * in[y][x + 2][c] + w1 * (in[y][x + 1][c] + in[y][x + 3][c]) +
                                w2 * (in[y][x][c] + in[y][x + 4][c]);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            for (int c = 0; c < 3; c++)
                out[y][x][c] = w0 * rows[y + 2][x][c] + w1 * (rows[y + 1][x][c] + rows[y + 3][x][c]) +
                               w2 * (rows[y][x][c] + rows[y + 4][x][c]);
}

static void initialise(const struct problem *p) {
    float *in = p->in;
    for (size_t i = 0; i < COUNT2(NY + 4, ny + 4, NX + 4, nx + 4) * 3; i++)
        in[i] = (float)(i * 31 % 257) / 257;
}

static void run(const struct problem *p) {
    kernel_blur(p->ny, p->nx, 0.5f, 0.2f, 0.05f, p->out, p->in, p->rows);
}

static struct work work(const struct problem *p) {
    double ny = p->ny, nx = p->nx;
    return (struct work){.operations = 3 * 8 * (2 * ny + 4) * nx,
                         .bytes = 4 * 3 * (2 * ny * nx + (ny + 4) * (nx + 4) + 2 * (ny + 4) * nx)};
}
