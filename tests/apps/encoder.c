// Forward pass of a small transformer over a batch of sequences: layer normalisation, attention, feed-forward layers, a loss.
// Arguments: sequence length, layers. In tests: 12 1
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int max_t, vocab, layers, heads, channels;
} Config;

typedef struct {
    float *wte, *wpe;                       /* vocab x C, T x C */
    float *ln1w, *ln1b, *qkvw, *qkvb;       /* L x C, L x C, L x 3C x C, L x 3C */
    float *projw, *projb, *ln2w, *ln2b;     /* L x C x C, ... */
    float *fcw, *fcb, *fcprojw, *fcprojb;   /* L x 4C x C, L x 4C, L x C x 4C, L x C */
    float *lnfw, *lnfb;
} Params;

static unsigned seed = 12345u;

static float uniform(void) {
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / 16777216.0f - 0.5f;
}

static float *values(size_t count, float scale, float offset) {
    float *v = malloc(count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        v[i] = offset + scale * uniform();
    return v;
}

static void encoder_forward(float *out, const int *tokens, const float *wte, const float *wpe, int B, int T, int C) {
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            float *row = out + b * T * C + t * C;
            const float *token = wte + tokens[b * T + t] * C;
            const float *position = wpe + t * C;
            for (int i = 0; i < C; i++)
                row[i] = token[i] + position[i];
        }
    }
}

static void layernorm_forward(float *out, const float *inp, const float *w, const float *bias, int B, int T, int C) {
    float eps = 1e-5f;
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            const float *x = inp + b * T * C + t * C;
            float m = 0.0f;
            for (int i = 0; i < C; i++)
                m += x[i];
            m = m / C;
            float v = 0.0f;
            for (int i = 0; i < C; i++) {
                float shifted = x[i] - m;
                v += shifted * shifted;
            }
            float s = 1.0f / sqrtf(v / C + eps);
            float *y = out + b * T * C + t * C;
            for (int i = 0; i < C; i++)
                y[i] = s * (x[i] - m) * w[i] + bias[i];
        }
    }
}

/* out (B,T,OC) = inp (B,T,C) times weight (OC,C) transposed, plus bias (OC). */
static void matmul_forward(float *out, const float *inp, const float *weight, const float *bias, int B, int T, int C,
                           int OC) {
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            float *out_bt = out + b * T * OC + t * OC;
            const float *inp_bt = inp + b * T * C + t * C;
            for (int o = 0; o < OC; o++) {
                float val = bias != NULL ? bias[o] : 0.0f;
                const float *wrow = weight + o * C;
                for (int i = 0; i < C; i++)
                    val += inp_bt[i] * wrow[i];
                out_bt[o] = val;
            }
        }
    }
}

static void attention_forward(float *out, float *att, const float *qkv, int B, int T, int C, int NH) {
    int C3 = C * 3;
    int hs = C / NH;
    float scale = 1.0f / sqrtf((float)hs);
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            for (int h = 0; h < NH; h++) {
                const float *query = qkv + b * T * C3 + t * C3 + h * hs;
                float *att_bth = att + b * NH * T * T + h * T * T + t * T;
                float maxval = -10000.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *key = qkv + b * T * C3 + t2 * C3 + h * hs + C;
                    float val = 0.0f;
                    for (int i = 0; i < hs; i++)
                        val += query[i] * key[i];
                    val *= scale;
                    if (val > maxval)
                        maxval = val;
                    att_bth[t2] = val;
                }
                float sum = 0.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    float e = expf(att_bth[t2] - maxval);
                    sum += e;
                    att_bth[t2] = e;
                }
                float inv = sum == 0.0f ? 0.0f : 1.0f / sum;
                for (int t2 = 0; t2 < T; t2++)
                    att_bth[t2] = t2 <= t ? att_bth[t2] * inv : 0.0f;
                float *out_bth = out + b * T * C + t * C + h * hs;
                for (int i = 0; i < hs; i++)
                    out_bth[i] = 0.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *value = qkv + b * T * C3 + t2 * C3 + h * hs + C * 2;
                    for (int i = 0; i < hs; i++)
                        out_bth[i] += att_bth[t2] * value[i];
                }
            }
        }
    }
}

static void gelu_forward(float *out, const float *inp, int N) {
    for (int i = 0; i < N; i++) {
        float x = inp[i];
        out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
    }
}

static void residual_forward(float *out, const float *a, const float *b, int N) {
    for (int i = 0; i < N; i++)
        out[i] = a[i] + b[i];
}

static float crossentropy(float *logits, const int *targets, int B, int T, int V) {
    float loss = 0.0f;
    for (int bt = 0; bt < B * T; bt++) {
        float *row = logits + bt * V;
        float maxval = -10000.0f, sum = 0.0f;
        for (int i = 0; i < V; i++)
            if (row[i] > maxval)
                maxval = row[i];
        for (int i = 0; i < V; i++) {
            row[i] = expf(row[i] - maxval);
            sum += row[i];
        }
        loss -= logf(row[targets[bt]] / sum);
    }
    return loss / (B * T);
}

static Params new_params(const Config *c) {
    size_t L = c->layers, C = c->channels;
    float s = 1.0f / sqrtf((float)c->channels);
    Params p;
    p.wte = values(c->vocab * C, 1.0f, 0.0f);
    p.wpe = values(c->max_t * C, 0.2f, 0.0f);
    p.ln1w = values(L * C, 0.1f, 1.0f);
    p.ln1b = values(L * C, 0.1f, 0.0f);
    p.qkvw = values(L * 3 * C * C, s, 0.0f);
    p.qkvb = values(L * 3 * C, 0.1f, 0.0f);
    p.projw = values(L * C * C, s, 0.0f);
    p.projb = values(L * C, 0.1f, 0.0f);
    p.ln2w = values(L * C, 0.1f, 1.0f);
    p.ln2b = values(L * C, 0.1f, 0.0f);
    p.fcw = values(L * 4 * C * C, s, 0.0f);
    p.fcb = values(L * 4 * C, 0.1f, 0.0f);
    p.fcprojw = values(L * 4 * C * C, s, 0.0f);
    p.fcprojb = values(L * C, 0.1f, 0.0f);
    p.lnfw = values(C, 0.1f, 1.0f);
    p.lnfb = values(C, 0.1f, 0.0f);
    return p;
}

int main(int argc, char **argv) {
    int B = 2, T = argc > 1 ? atoi(argv[1]) : 160;
    Config c = {T, 512, argc > 2 ? atoi(argv[2]) : 3, 6, 192};
    int C = c.channels, V = c.vocab;
    Params p = new_params(&c);
    int *tokens = malloc(B * T * sizeof(int)), *targets = malloc(B * T * sizeof(int));
    for (int i = 0; i < B * T; i++) {
        tokens[i] = (i * 37 + i / 5) % V;
        targets[i] = (i * 53 + 11) % V;
    }
    float *x = malloc(sizeof(float) * B * T * C), *norm = malloc(sizeof(float) * B * T * C);
    float *qkv = malloc(sizeof(float) * B * T * 3 * C), *mix = malloc(sizeof(float) * B * T * C);
    float *att = malloc(sizeof(float) * B * c.heads * T * T), *proj = malloc(sizeof(float) * B * T * C);
    float *fc = malloc(sizeof(float) * B * T * 4 * C), *act = malloc(sizeof(float) * B * T * 4 * C);
    float *logits = malloc(sizeof(float) * B * T * V);
    encoder_forward(x, tokens, p.wte, p.wpe, B, T, C);
    for (int l = 0; l < c.layers; l++) {
        layernorm_forward(norm, x, p.ln1w + l * C, p.ln1b + l * C, B, T, C);
        matmul_forward(qkv, norm, p.qkvw + l * 3 * C * C, p.qkvb + l * 3 * C, B, T, C, 3 * C);
        attention_forward(mix, att, qkv, B, T, C, c.heads);
        matmul_forward(proj, mix, p.projw + l * C * C, p.projb + l * C, B, T, C, C);
        residual_forward(x, x, proj, B * T * C);
        layernorm_forward(norm, x, p.ln2w + l * C, p.ln2b + l * C, B, T, C);
        matmul_forward(fc, norm, p.fcw + l * 4 * C * C, p.fcb + l * 4 * C, B, T, C, 4 * C);
        gelu_forward(act, fc, B * T * 4 * C);
        matmul_forward(proj, act, p.fcprojw + l * 4 * C * C, p.fcprojb + l * C, B, T, 4 * C, C);
        residual_forward(x, x, proj, B * T * C);
    }
    layernorm_forward(norm, x, p.lnfw, p.lnfb, B, T, C);
    matmul_forward(logits, norm, p.wte, NULL, B, T, C, V);
    double sum = 0.0;
    for (int i = 0; i < B * T * V; i++)
        sum += logits[i];
    printf("logits %.17g ", sum);
    printf("loss %.9g\n", crossentropy(logits, targets, B, T, V));
    return 0;
}
