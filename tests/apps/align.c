// Alignment of sequences: global with a matrix of scores in one array, local with affine gaps in rolling rows, and traceback.
// Arguments: length, pairs. In tests: 30 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 20
#define GAP 4
#define OPEN 10
#define EXTEND 2
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static int score[LETTERS][LETTERS];
static unsigned state = 7u;

static int draw(int below) {
    state = state * 1103515245u + 12345u;
    return (int)((state >> 16) % (unsigned)below);
}

static void init_scores(void) {
    for (int a = 0; a < LETTERS; a++) {
        for (int b = 0; b <= a; b++) {
            score[a][b] = a == b ? 5 + draw(6) : draw(6) - 4;
            score[b][a] = score[a][b];
        }
    }
}

static int *random_sequence(int n) {
    int *s = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        s[i] = draw(LETTERS);
    return s;
}

/* A relative of a sequence: some letters changed, some dropped. */
static int *mutate(const int *s, int n, int *length) {
    int *t = malloc(n * sizeof(int));
    int m = 0;
    for (int i = 0; i < n; i++) {
        int dice = draw(20);
        if (dice == 0)
            continue;
        t[m++] = dice < 4 ? draw(LETTERS) : s[i];
    }
    *length = m;
    return t;
}

/* Fills the matrix of (n + 1) x (m + 1) scores row by row. */
static int global_align(const int *a, int n, const int *b, int m, int *matrix, int *similarity) {
    int cols = m + 1;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            similarity[i * cols + j] = score[a[i - 1]][b[j - 1]];
    for (int i = 0; i <= n; i++)
        matrix[i * cols] = -i * GAP;
    for (int j = 0; j <= m; j++)
        matrix[j] = -j * GAP;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            int index = i * cols + j;
            int diagonal = matrix[index - 1 - cols] + similarity[index];
            int up = matrix[index - cols] - GAP;
            int left = matrix[index - 1] - GAP;
            matrix[index] = MAX(MAX(diagonal, up), left);
        }
    }
    return matrix[n * cols + m];
}

static int traceback(const int *matrix, const int *similarity, int n, int m) {
    int cols = m + 1, matches = 0;
    int i = n, j = m;
    while (i > 0 && j > 0) {
        int index = i * cols + j;
        if (matrix[index] == matrix[index - 1 - cols] + similarity[index]) {
            matches++;
            i--;
            j--;
        } else if (matrix[index] == matrix[index - cols] - GAP) {
            i--;
        } else {
            j--;
        }
    }
    return matches;
}

/* Gotoh's local alignment in two rows. */
static int local_align(const int *a, int n, const int *b, int m, int *h, int *e) {
    int best = 0;
    memset(h, 0, (m + 1) * sizeof(int));
    for (int j = 0; j <= m; j++)
        e[j] = -OPEN;
    for (int i = 1; i <= n; i++) {
        int diagonal = h[0];
        int f = -OPEN;
        for (int j = 1; j <= m; j++) {
            int v = diagonal + score[a[i - 1]][b[j - 1]];
            e[j] = MAX(e[j] - EXTEND, h[j] - OPEN);
            f = MAX(f - EXTEND, h[j - 1] - OPEN);
            v = MAX(v, e[j]);
            v = MAX(v, f);
            v = MAX(v, 0);
            diagonal = h[j];
            h[j] = v;
            if (v > best)
                best = v;
        }
    }
    return best;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1500;
    int pairs = argc > 2 ? atoi(argv[2]) : 35;
    int *matrix = malloc(sizeof(int) * (n + 1) * (n + 1)), *similarity = malloc(sizeof(int) * (n + 1) * (n + 1));
    int *h = malloc(sizeof(int) * (n + 1)), *e = malloc(sizeof(int) * (n + 1));
    long total = 0, matched = 0, local = 0;
    init_scores();
    for (int p = 0; p < pairs; p++) {
        int m;
        int *a = random_sequence(n);
        int *b = mutate(a, n, &m);
        total += global_align(a, n, b, m, matrix, similarity);
        matched += traceback(matrix, similarity, n, m);
        local += local_align(a, n, b, m, h, e);
        free(a);
        free(b);
    }
    printf("global %ld matches %ld local %ld\n", total, matched, local);
    free(matrix);
    free(similarity);
    free(h);
    free(e);
    return 0;
}
