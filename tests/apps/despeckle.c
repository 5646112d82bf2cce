// Two solvers on a picture: anisotropic diffusion with tables of neighbours, and the temperature of a chip with power input.
// Arguments: rows, columns, iterations. In tests: 18 25 3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, cols;
    int *north, *south, *west, *east; /* neighbours at the rim are the cells themselves */
} Neighbours;

static int *neighbour_table(int n, int step, int last) {
    int *t = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        t[i] = i + step;
    t[last] = last;
    return t;
}

static void random_picture(float *image, int rows, int cols) {
    unsigned state = 2463534242u;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            float base = (i / 8 + j / 8) % 2 ? 0.7f : 0.3f;
            image[i * cols + j] = expf(base + 0.2f * ((state >> 8) / 16777216.0f - 0.5f));
        }
    }
}

/* Mean and variance of a window decide how much is diffused. */
static float speckle_scale(const float *image, int cols, int r1, int r2, int c1, int c2) {
    float sum = 0, sum2 = 0;
    for (int i = r1; i <= r2; i++) {
        for (int j = c1; j <= c2; j++) {
            float v = image[i * cols + j];
            sum += v;
            sum2 += v * v;
        }
    }
    float size = (float)(r2 - r1 + 1) * (c2 - c1 + 1);
    float mean = sum / size;
    float variance = sum2 / size - mean * mean;
    return variance / (mean * mean);
}

static void diffuse(const Neighbours *t, float *J, float *dN, float *dS, float *dW, float *dE, float *c, float lambda) {
    int rows = t->rows, cols = t->cols;
    float q0sqr = speckle_scale(J, cols, 0, rows / 4, 0, cols / 4);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            int k = i * cols + j;
            float Jc = J[k];
            dN[k] = J[t->north[i] * cols + j] - Jc;
            dS[k] = J[t->south[i] * cols + j] - Jc;
            dW[k] = J[i * cols + t->west[j]] - Jc;
            dE[k] = J[i * cols + t->east[j]] - Jc;
            float G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
            float L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
            float num = 0.5f * G2 - (1.0f / 16.0f) * (L * L);
            float den = 1 + 0.25f * L;
            float qsqr = num / (den * den);
            den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
            c[k] = 1.0f / (1.0f + den);
            if (c[k] < 0)
                c[k] = 0;
            else if (c[k] > 1)
                c[k] = 1;
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            int k = i * cols + j;
            float cN = c[k], cS = c[t->south[i] * cols + j], cW = c[k], cE = c[i * cols + t->east[j]];
            float D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
            J[k] = J[k] + 0.25f * lambda * D;
        }
    }
}

/* One explicit step of heat conduction with cooling, corners and edges written out. */
static void heat_step(float *result, const float *temp, const float *power, int rows, int cols) {
    const float cap = 0.02f, rx = 10.0f, ry = 12.0f, rz = 40.0f, ambient = 80.0f;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            float here = temp[r * cols + c];
            float up = r == 0 ? here : temp[(r - 1) * cols + c];
            float down = r == rows - 1 ? here : temp[(r + 1) * cols + c];
            float left = c == 0 ? here : temp[r * cols + c - 1];
            float right = c == cols - 1 ? here : temp[r * cols + c + 1];
            float delta = cap * (power[r * cols + c] + (down + up - 2.0f * here) / ry +
                                 (left + right - 2.0f * here) / rx + (ambient - here) / rz);
            result[r * cols + c] = here + delta;
        }
    }
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 600, cols = argc > 2 ? atoi(argv[2]) : 500;
    int iterations = argc > 3 ? atoi(argv[3]) : 200, size = rows * cols;
    Neighbours t = {rows,
                    cols,
                    neighbour_table(rows, -1, 0),
                    neighbour_table(rows, 1, rows - 1),
                    neighbour_table(cols, -1, 0),
                    neighbour_table(cols, 1, cols - 1)};
    float *J = malloc(sizeof(float) * size), *c = malloc(sizeof(float) * size);
    float *dN = malloc(sizeof(float) * size), *dS = malloc(sizeof(float) * size);
    float *dW = malloc(sizeof(float) * size), *dE = malloc(sizeof(float) * size);
    float *temp = malloc(sizeof(float) * size), *next = malloc(sizeof(float) * size);
    random_picture(J, rows, cols);
    for (int it = 0; it < iterations; it++)
        diffuse(&t, J, dN, dS, dW, dE, c, 0.5f);
    for (int k = 0; k < size; k++)
        temp[k] = 80.0f + J[k];
    for (int it = 0; it < 4 * iterations; it++) {
        heat_step(next, temp, J, rows, cols);
        float *swap = temp;
        temp = next;
        next = swap;
    }
    double picture = 0.0, heat = 0.0;
    for (int k = 0; k < size; k++) {
        picture += J[k];
        heat += temp[k];
    }
    printf("picture %.17g heat %.17g\n", picture, heat);
    return 0;
}
