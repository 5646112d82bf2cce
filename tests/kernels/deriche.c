/* deriche: a recursive smoothing filter, both ways along the rows, then both ways along the columns. */
#define W SIZE(0, 64, 192, 720, 4096, 7680)
#define H SIZE(1, 64, 128, 480, 2160, 4320)
#define DIMENSIONS(d) d(w, W) d(h, H)
#define ARRAYS(a)                                \
    a(input, float, imgIn, COUNT2(W, w, H, h))   \
    a(output, float, imgOut, COUNT2(W, w, H, h)) \
    a(temporary, float, y1, COUNT2(W, w, H, h))  \
    a(temporary, float, y2, COUNT2(W, w, H, h))
#include "kernel.h"
#include <math.h>

KERNEL void kernel_deriche(int w, int h, float alpha, ARRAY2(float, imgIn, W, w, H, h), ARRAY2(float, imgOut, W, w, H, h),
                           ARRAY2(float, y1, W, w, H, h), ARRAY2(float, y2, W, w, H, h)) {
    float k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
              (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    float a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;
    a1 = a5 = k;
    a2 = a6 = k * expf(-alpha) * (alpha - 1.0f);
    a3 = a7 = k * expf(-alpha) * (alpha + 1.0f);
    a4 = a8 = -k * expf(-2.0f * alpha);
    b1 = powf(2.0f, -alpha);
    b2 = -expf(-2.0f * alpha);
    c1 = c2 = 1;

    for (int i = 0; i < w; i++) {
        float ym1 = 0.0f, ym2 = 0.0f, xm1 = 0.0f;
        for (int j = 0; j < h; j++) {
            y1[i][j] = a1 * imgIn[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = imgIn[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int i = 0; i < w; i++) {
        float yp1 = 0.0f, yp2 = 0.0f, xp1 = 0.0f, xp2 = 0.0f;
        for (int j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = imgIn[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            imgOut[i][j] = c1 * (y1[i][j] + y2[i][j]);

    for (int j = 0; j < h; j++) {
        float tm1 = 0.0f, ym1 = 0.0f, ym2 = 0.0f;
        for (int i = 0; i < w; i++) {
            y1[i][j] = a5 * imgOut[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = imgOut[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int j = 0; j < h; j++) {
        float tp1 = 0.0f, tp2 = 0.0f, yp1 = 0.0f, yp2 = 0.0f;
        for (int i = w - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = imgOut[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            imgOut[i][j] = c2 * (y1[i][j] + y2[i][j]);
}

static void initialise(const struct problem *p) {
    VIEW2(float, imgIn, H, h);
    for (int i = 0; i < p->w; i++)
        for (int j = 0; j < p->h; j++)
            imgIn[i][j] = (float)((313 * i + 991 * j) % 65536) / 65535.0f;
}

static void run(const struct problem *p) {
    kernel_deriche(p->w, p->h, 0.25f, p->imgIn, p->imgOut, p->y1, p->y2);
}

/* Both passes need whole lines: imgIn is read, imgOut written, read and written again, y1 and y2 written. */
static struct work work(const struct problem *p) {
    double pixels = (double)p->w * p->h;
    return (struct work){.operations = 30 * pixels,
                         .bytes = 4 * 9 * pixels,
                         .chain_fused = 4.0 * p->h + 4.0 * p->w};
}
