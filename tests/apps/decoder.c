// Token by token generation with a cache of keys and values: matrix times vector, root mean square norm, rotations, gated layers.
// Arguments: tokens, layers. In tests: 6 1
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, seq_len;
} Config;

typedef struct {
    float *embedding;                   /* (vocab, dim) */
    float *rms_att, *rms_ffn, *rms_out; /* (layer, dim), (layer, dim), (dim) */
    float *wq, *wk, *wv, *wo;
    float *w1, *w2, *w3;
} Weights;

typedef struct {
    float *x, *xb, *xb2, *hb, *hb2, *q, *k, *v, *att, *logits;
    float *key_cache, *value_cache; /* (layer, seq_len, kv_dim) */
} RunState;

typedef struct {
    Config config;
    Weights weights;
    RunState state;
} Transformer;

static unsigned long long rng = 88172645463325252ull;

static float next_float(void) {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (float)(rng >> 40) / 16777216.0f - 0.5f;
}

static float *fill(size_t n, float scale, float shift) {
    float *p = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++)
        p[i] = shift + scale * next_float();
    return p;
}

static void build(Transformer *t, int seq_len, int layers) {
    Config c = {288, 768, layers, 6, 6, 2000, seq_len};
    size_t L = layers, d = c.dim, h = c.hidden_dim, kv = c.dim * c.n_kv_heads / c.n_heads;
    Weights *w = &t->weights;
    t->config = c;
    w->embedding = fill(c.vocab_size * d, 0.3f, 0.0f);
    w->rms_att = fill(L * d, 0.1f, 1.0f);
    w->rms_ffn = fill(L * d, 0.1f, 1.0f);
    w->rms_out = fill(d, 0.1f, 1.0f);
    w->wq = fill(L * d * d, 0.15f, 0.0f);
    w->wk = fill(L * d * kv, 0.15f, 0.0f);
    w->wv = fill(L * d * kv, 0.15f, 0.0f);
    w->wo = fill(L * d * d, 0.15f, 0.0f);
    w->w1 = fill(L * d * h, 0.1f, 0.0f);
    w->w2 = fill(L * d * h, 0.1f, 0.0f);
    w->w3 = fill(L * d * h, 0.1f, 0.0f);
    RunState *s = &t->state;
    s->x = calloc(d, sizeof(float));
    s->xb = calloc(d, sizeof(float));
    s->xb2 = calloc(d, sizeof(float));
    s->hb = calloc(h, sizeof(float));
    s->hb2 = calloc(h, sizeof(float));
    s->q = calloc(d, sizeof(float));
    s->att = calloc((size_t)c.n_heads * c.seq_len, sizeof(float));
    s->logits = calloc(c.vocab_size, sizeof(float));
    s->key_cache = calloc(L * c.seq_len * kv, sizeof(float));
    s->value_cache = calloc(L * c.seq_len * kv, sizeof(float));
}

static void rmsnorm(float *o, float *x, float *weight, int size) {
    float ss = 0.0f;
    for (int j = 0; j < size; j++)
        ss += x[j] * x[j];
    ss /= size;
    ss += 1e-5f;
    ss = 1.0f / sqrtf(ss);
    for (int j = 0; j < size; j++)
        o[j] = weight[j] * (ss * x[j]);
}

static void softmax(float *x, int size) {
    float max_val = x[0];
    for (int i = 1; i < size; i++)
        if (x[i] > max_val)
            max_val = x[i];
    float sum = 0.0f;
    for (int i = 0; i < size; i++) {
        x[i] = expf(x[i] - max_val);
        sum += x[i];
    }
    for (int i = 0; i < size; i++)
        x[i] /= sum;
}

/* W (d,n) @ x (n,) -> xout (d,) */
static void matmul(float *xout, float *x, float *w, int n, int d) {
    for (int i = 0; i < d; i++) {
        float val = 0.0f;
        for (int j = 0; j < n; j++)
            val += w[i * n + j] * x[j];
        xout[i] = val;
    }
}

static void rotate(RunState *s, int pos, int dim, int kv_dim, int head_size) {
    for (int i = 0; i < dim; i += 2) {
        int head_dim = i % head_size;
        float freq = 1.0f / powf(10000.0f, head_dim / (float)head_size);
        float fcr = cosf(pos * freq), fci = sinf(pos * freq);
        int rotn = i < kv_dim ? 2 : 1;
        for (int v = 0; v < rotn; v++) {
            float *vec = v == 0 ? s->q : s->k;
            float v0 = vec[i], v1 = vec[i + 1];
            vec[i] = v0 * fcr - v1 * fci;
            vec[i + 1] = v0 * fci + v1 * fcr;
        }
    }
}

static void attend(const Config *p, RunState *s, int layer, int pos, int kv_dim, int head_size) {
    int kv_mul = p->n_heads / p->n_kv_heads;
    size_t loff = (size_t)layer * p->seq_len * kv_dim;
    for (int h = 0; h < p->n_heads; h++) {
        float *q = s->q + h * head_size;
        float *att = s->att + h * p->seq_len;
        for (int t = 0; t <= pos; t++) {
            float *k = s->key_cache + loff + t * kv_dim + (h / kv_mul) * head_size;
            float score = 0.0f;
            for (int i = 0; i < head_size; i++)
                score += q[i] * k[i];
            att[t] = score / sqrtf((float)head_size);
        }
        softmax(att, pos + 1);
        float *xb = s->xb + h * head_size;
        memset(xb, 0, head_size * sizeof(float));
        for (int t = 0; t <= pos; t++) {
            float *v = s->value_cache + loff + t * kv_dim + (h / kv_mul) * head_size;
            float a = att[t];
            for (int i = 0; i < head_size; i++)
                xb[i] += a * v[i];
        }
    }
}

static float *forward(Transformer *t, int token, int pos) {
    Config *p = &t->config;
    Weights *w = &t->weights;
    RunState *s = &t->state;
    int dim = p->dim, hidden_dim = p->hidden_dim;
    int kv_dim = p->dim * p->n_kv_heads / p->n_heads;
    int head_size = dim / p->n_heads;
    memcpy(s->x, w->embedding + token * dim, dim * sizeof(float));
    for (int l = 0; l < p->n_layers; l++) {
        rmsnorm(s->xb, s->x, w->rms_att + l * dim, dim);
        s->k = s->key_cache + (size_t)l * p->seq_len * kv_dim + pos * kv_dim;
        s->v = s->value_cache + (size_t)l * p->seq_len * kv_dim + pos * kv_dim;
        matmul(s->q, s->xb, w->wq + l * dim * dim, dim, dim);
        matmul(s->k, s->xb, w->wk + l * dim * kv_dim, dim, kv_dim);
        matmul(s->v, s->xb, w->wv + l * dim * kv_dim, dim, kv_dim);
        rotate(s, pos, dim, kv_dim, head_size);
        attend(p, s, l, pos, kv_dim, head_size);
        matmul(s->xb2, s->xb, w->wo + l * dim * dim, dim, dim);
        for (int i = 0; i < dim; i++)
            s->x[i] += s->xb2[i];
        rmsnorm(s->xb, s->x, w->rms_ffn + l * dim, dim);
        matmul(s->hb, s->xb, w->w1 + l * dim * hidden_dim, dim, hidden_dim);
        matmul(s->hb2, s->xb, w->w3 + l * dim * hidden_dim, dim, hidden_dim);
        for (int i = 0; i < hidden_dim; i++) {
            float val = s->hb[i];
            val *= 1.0f / (1.0f + expf(-val));
            s->hb[i] = val * s->hb2[i];
        }
        matmul(s->xb, s->hb, w->w2 + l * dim * hidden_dim, hidden_dim, dim);
        for (int i = 0; i < dim; i++)
            s->x[i] += s->xb[i];
    }
    rmsnorm(s->x, s->x, w->rms_out, dim);
    matmul(s->logits, s->x, w->embedding, dim, p->vocab_size);
    return s->logits;
}

int main(int argc, char **argv) {
    Transformer t;
    int tokens = argc > 1 ? atoi(argv[1]) : 120;
    build(&t, tokens, argc > 2 ? atoi(argv[2]) : 4);
    int token = 1;
    unsigned sum = 0;
    double total = 0.0;
    for (int pos = 0; pos < tokens; pos++) {
        float *logits = forward(&t, token, pos);
        int best = 0;
        for (int i = 1; i < t.config.vocab_size; i++)
            if (logits[i] > logits[best])
                best = i;
        total += logits[best];
        sum = sum * 31 + best;
        token = (best + pos) % t.config.vocab_size;
    }
    printf("tokens %u logits %.17g\n", sum, total);
    return 0;
}
