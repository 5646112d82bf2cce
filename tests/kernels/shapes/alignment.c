/* alignment: the best global alignment of two sequences, by dynamic programming. */
#define NI SIZE(0, 20, 100, 600, 6000, 12000)
#define NJ SIZE(1, 24, 110, 640, 6400, 12800)
#define DIMENSIONS(d) d(ni, NI) d(nj, NJ)
#define ARRAYS(array)                                         \
    array(output, int, score, COUNT2(NI + 1, ni + 1, NJ + 1, nj + 1)) \
    array(input, signed char, left, COUNT1(NI, ni))           \
    array(input, signed char, right, COUNT1(NJ, nj))
#include "../kernel.h"

static inline int better(int a, int b) {
    return a > b ? a : b;
}

KERNEL void kernel_alignment(int ni, int nj, ARRAY2(int, score, NI + 1, ni + 1, NJ + 1, nj + 1),
                             ARRAY1(signed char, left, NI, ni), ARRAY1(signed char, right, NJ, nj)) {
    for (int i = 0; i <= ni; i++)
        score[i][0] = -2 * i;
    for (int j = 0; j <= nj; j++)
        score[0][j] = -2 * j;
    for (int i = 1; i <= ni; i++)
        for (int j = 1; j <= nj; j++) {
            int same = score[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 3 : -1);
            int gap = better(score[i - 1][j], score[i][j - 1]) - 2;
            score[i][j] = better(same, gap);
        }
}

static void initialise(const struct problem *p) {
    signed char *left = p->left, *right = p->right;
    for (int i = 0; i < p->ni; i++)
        left[i] = (signed char)((i * 7 + i / 3) % 4);
    for (int j = 0; j < p->nj; j++)
        right[j] = (signed char)((j * 5 + j / 7) % 4);
}

static void run(const struct problem *p) {
    kernel_alignment(p->ni, p->nj, p->score, p->left, p->right);
}

static struct work work(const struct problem *p) {
    double ni = p->ni, nj = p->nj;
    return (struct work){.operations = 6 * ni * nj, .bytes = 8 * ni * nj};
}
