// A block codec: cosine transform of blocks of eight by eight, quantisation, zigzag and run lengths, the way back, the error.
// Arguments: width, height, quality, frames. In tests: 24 16 50 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 8
#define PI 3.14159265358979323846

typedef struct {
    float cosine[BLOCK][BLOCK];
    int quant[BLOCK][BLOCK];
    int zigzag[BLOCK * BLOCK];
} Codec;

typedef struct {
    int width, height;
    unsigned char *luma;
} Frame;

static void codec_init(Codec *c, int quality) {
    for (int u = 0; u < BLOCK; u++)
        for (int x = 0; x < BLOCK; x++)
            c->cosine[u][x] = (float)((u == 0 ? sqrt(0.125) : 0.5) * cos((2 * x + 1) * u * PI / 16.0));
    for (int v = 0; v < BLOCK; v++)
        for (int u = 0; u < BLOCK; u++)
            c->quant[v][u] = 1 + (1 + u + v) * (100 - quality) / 16;
    int at = 0;
    for (int d = 0; d < 2 * BLOCK - 1; d++) {
        for (int i = 0; i <= d; i++) {
            int y = (d & 1) ? i : d - i, x = d - y;
            if (x < BLOCK && y < BLOCK)
                c->zigzag[at++] = y * BLOCK + x;
        }
    }
}

static void forward_dct(const Codec *c, float in[BLOCK][BLOCK], float out[BLOCK][BLOCK]) {
    float tmp[BLOCK][BLOCK];
    for (int y = 0; y < BLOCK; y++) {
        for (int u = 0; u < BLOCK; u++) {
            float sum = 0.0f;
            for (int x = 0; x < BLOCK; x++)
                sum += in[y][x] * c->cosine[u][x];
            tmp[y][u] = sum;
        }
    }
    for (int v = 0; v < BLOCK; v++) {
        for (int u = 0; u < BLOCK; u++) {
            float sum = 0.0f;
            for (int y = 0; y < BLOCK; y++)
                sum += c->cosine[v][y] * tmp[y][u];
            out[v][u] = sum;
        }
    }
}

static void inverse_dct(const Codec *c, float in[BLOCK][BLOCK], float out[BLOCK][BLOCK]) {
    float tmp[BLOCK][BLOCK];
    for (int v = 0; v < BLOCK; v++) {
        for (int x = 0; x < BLOCK; x++) {
            float sum = 0.0f;
            for (int u = 0; u < BLOCK; u++)
                sum += in[v][u] * c->cosine[u][x];
            tmp[v][x] = sum;
        }
    }
    for (int y = 0; y < BLOCK; y++) {
        for (int x = 0; x < BLOCK; x++) {
            float sum = 0.0f;
            for (int v = 0; v < BLOCK; v++)
                sum += c->cosine[v][y] * tmp[v][x];
            out[y][x] = sum;
        }
    }
}

/* Pairs of a run of zeros and a level; returns how many values were written. */
static int run_lengths(const Codec *c, const int level[BLOCK * BLOCK], int *stream) {
    int run = 0, count = 0;
    for (int k = 0; k < BLOCK * BLOCK; k++) {
        int v = level[c->zigzag[k]];
        if (v == 0) {
            run++;
        } else {
            stream[count++] = run;
            stream[count++] = v;
            run = 0;
        }
    }
    stream[count++] = -1;
    return count;
}

static int code_frame(const Codec *c, const Frame *f, int *stream) {
    int count = 0;
    for (int by = 0; by < f->height; by += BLOCK) {
        for (int bx = 0; bx < f->width; bx += BLOCK) {
            float pixels[BLOCK][BLOCK], spectrum[BLOCK][BLOCK];
            int level[BLOCK * BLOCK];
            for (int y = 0; y < BLOCK; y++)
                for (int x = 0; x < BLOCK; x++)
                    pixels[y][x] = f->luma[(by + y) * f->width + bx + x] - 128.0f;
            forward_dct(c, pixels, spectrum);
            for (int v = 0; v < BLOCK; v++)
                for (int u = 0; u < BLOCK; u++)
                    level[v * BLOCK + u] = (int)lrintf(spectrum[v][u] / c->quant[v][u]);
            count += run_lengths(c, level, stream + count);
        }
    }
    return count;
}

static void decode_frame(const Codec *c, const int *stream, Frame *f) {
    for (int by = 0; by < f->height; by += BLOCK) {
        for (int bx = 0; bx < f->width; bx += BLOCK) {
            float spectrum[BLOCK][BLOCK] = {{0}}, pixels[BLOCK][BLOCK];
            int k = 0;
            while (*stream >= 0) {
                k += *stream++;
                int place = c->zigzag[k++];
                spectrum[place / BLOCK][place % BLOCK] = (float)(*stream++ * c->quant[place / BLOCK][place % BLOCK]);
            }
            stream++;
            inverse_dct(c, spectrum, pixels);
            for (int y = 0; y < BLOCK; y++) {
                for (int x = 0; x < BLOCK; x++) {
                    float v = pixels[y][x] + 128.5f;
                    f->luma[(by + y) * f->width + bx + x] = v < 0.0f ? 0 : v > 255.0f ? 255 : (unsigned char)v;
                }
            }
        }
    }
}

static double mean_square_error(const Frame *a, const Frame *b) {
    long sum = 0;
    for (int i = 0; i < a->width * a->height; i++) {
        int d = a->luma[i] - b->luma[i];
        sum += d * d;
    }
    return (double)sum / (a->width * a->height);
}

static void draw_frame(Frame *f, int t) {
    for (int y = 0; y < f->height; y++) {
        double row = 128.0 + 50.0 * cos(0.031 * y * (1 + t % 3));
        for (int x = 0; x < f->width; x++) {
            double column = 0.01 * ((x + 6 * t) % 200 - 100);
            f->luma[y * f->width + x] = (unsigned char)(row + 60.0 * column * (1.0 - column * column) + (x * y) % 7);
        }
    }
}

int main(int argc, char **argv) {
    int width = argc > 1 ? atoi(argv[1]) : 640, height = argc > 2 ? atoi(argv[2]) : 480;
    int quality = argc > 3 ? atoi(argv[3]) : 60, frames = argc > 4 ? atoi(argv[4]) : 200;
    Codec *codec = malloc(sizeof *codec);
    Frame in = {width, height, malloc(width * height)}, out = {width, height, malloc(width * height)};
    int *stream = malloc(sizeof(int) * (2 * width * height + width * height / (BLOCK * BLOCK) + 1));
    codec_init(codec, quality);
    long coded = 0;
    double error = 0.0;
    for (int t = 0; t < frames; t++) {
        draw_frame(&in, t);
        coded += code_frame(codec, &in, stream);
        decode_frame(codec, stream, &out);
        error += mean_square_error(&in, &out);
    }
    printf("values %ld error %.17g\n", coded, error / frames);
    free(codec);
    free(in.luma);
    free(out.luma);
    free(stream);
    return 0;
}
