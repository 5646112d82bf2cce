// An image pipeline on bytes: blur with a kernel, edges, a histogram that is equalised, a resize, a threshold.
// Arguments: width, height, frames. In tests: 33 21 2
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int width, height, stride;
    uint8_t *data;
} Image;

#define PIXEL(im, x, y) ((im)->data[(y) * (im)->stride + (x)])

static Image image_new(int width, int height) {
    Image im = {width, height, (width + 15) / 16 * 16, NULL};
    im.data = calloc((size_t)im.stride * height, 1);
    return im;
}

static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

static void render(Image *im, int frame) {
    for (int y = 0; y < im->height; y++) {
        for (int x = 0; x < im->width; x++) {
            int dx = x - im->width / 2 + 3 * frame, dy = y - im->height / 2;
            PIXEL(im, x, y) = (uint8_t)((dx * dx + dy * dy) / 97 + ((x * 7) ^ (y * 5)) % 31);
        }
    }
}

/* Separable binomial blur of radius two in integers, borders clamped. */
static void blur(const Image *in, Image *out, int *line) {
    static const int kernel[5] = {1, 4, 6, 4, 1};
    for (int y = 0; y < in->height; y++) {
        for (int x = 0; x < in->width; x++) {
            int sum = 0;
            for (int k = -2; k <= 2; k++)
                sum += kernel[k + 2] * PIXEL(in, clamp(x + k, 0, in->width - 1), y);
            line[y * in->width + x] = sum;
        }
    }
    for (int y = 0; y < in->height; y++) {
        for (int x = 0; x < in->width; x++) {
            int sum = 0;
            for (int k = -2; k <= 2; k++)
                sum += kernel[k + 2] * line[clamp(y + k, 0, in->height - 1) * in->width + x];
            PIXEL(out, x, y) = (uint8_t)((sum + 128) >> 8);
        }
    }
}

static void sobel(const Image *in, Image *out) {
    for (int y = 1; y < in->height - 1; y++) {
        for (int x = 1; x < in->width - 1; x++) {
            int gx = PIXEL(in, x + 1, y - 1) + 2 * PIXEL(in, x + 1, y) + PIXEL(in, x + 1, y + 1) -
                     PIXEL(in, x - 1, y - 1) - 2 * PIXEL(in, x - 1, y) - PIXEL(in, x - 1, y + 1);
            int gy = PIXEL(in, x - 1, y + 1) + 2 * PIXEL(in, x, y + 1) + PIXEL(in, x + 1, y + 1) -
                     PIXEL(in, x - 1, y - 1) - 2 * PIXEL(in, x, y - 1) - PIXEL(in, x + 1, y - 1);
            int magnitude = abs(gx) + abs(gy);
            PIXEL(out, x, y) = magnitude > 255 ? 255 : magnitude;
        }
    }
}

static void equalise(Image *im, unsigned histogram[256]) {
    uint8_t map[256];
    memset(histogram, 0, 256 * sizeof(unsigned));
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            histogram[PIXEL(im, x, y)]++;
    unsigned sum = 0, pixels = im->width * im->height;
    for (int v = 0; v < 256; v++) {
        sum += histogram[v];
        map[v] = (uint8_t)((uint64_t)sum * 255 / pixels);
    }
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            PIXEL(im, x, y) = map[PIXEL(im, x, y)];
}

/* Bilinear, in sixteenths. */
static void resize(const Image *in, Image *out) {
    float sx = (float)in->width / out->width, sy = (float)in->height / out->height;
    for (int y = 0; y < out->height; y++) {
        float fy = y * sy;
        int y0 = (int)fy, y1 = clamp(y0 + 1, 0, in->height - 1);
        float wy = fy - y0;
        for (int x = 0; x < out->width; x++) {
            float fx = x * sx;
            int x0 = (int)fx, x1 = clamp(x0 + 1, 0, in->width - 1);
            float wx = fx - x0;
            float top = PIXEL(in, x0, y0) * (1 - wx) + PIXEL(in, x1, y0) * wx;
            float bottom = PIXEL(in, x0, y1) * (1 - wx) + PIXEL(in, x1, y1) * wx;
            PIXEL(out, x, y) = (uint8_t)(top * (1 - wy) + bottom * wy + 0.5f);
        }
    }
}

static int threshold(Image *im, uint8_t level) {
    int above = 0;
    for (int y = 0; y < im->height; y++) {
        uint8_t *row = im->data + y * im->stride;
        for (int x = 0; x < im->width; x++) {
            if (row[x] > level) {
                row[x] = 255;
                above++;
            } else {
                row[x] = 0;
            }
        }
    }
    return above;
}

static uint64_t checksum(const Image *im, uint64_t hash) {
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            hash = (hash ^ PIXEL(im, x, y)) * 1099511628211u;
    return hash;
}

int main(int argc, char **argv) {
    int width = argc > 1 ? atoi(argv[1]) : 1280;
    int height = argc > 2 ? atoi(argv[2]) : 720;
    int frames = argc > 3 ? atoi(argv[3]) : 60;
    Image raw = image_new(width, height), soft = image_new(width, height), edge = image_new(width, height);
    Image small = image_new(width * 5 / 8, height * 5 / 8);
    int *line = malloc(sizeof(int) * width * height);
    unsigned histogram[256];
    uint64_t hash = 14695981039346656037u;
    long above = 0;
    for (int frame = 0; frame < frames; frame++) {
        render(&raw, frame);
        blur(&raw, &soft, line);
        sobel(&soft, &edge);
        equalise(&soft, histogram);
        resize(&soft, &small);
        hash = checksum(&small, hash);
        above += threshold(&edge, 40);
        hash = checksum(&edge, hash);
    }
    printf("hash %016llx above %ld\n", (unsigned long long)hash, above);
    free(raw.data);
    free(soft.data);
    free(edge.data);
    free(small.data);
    free(line);
    return 0;
}
