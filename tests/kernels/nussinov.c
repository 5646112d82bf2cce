/* nussinov: RNA secondary structure with the most base pairs, by dynamic programming. */
#define N SIZE(0, 60, 180, 500, 2500, 5500)
#define DIMENSIONS(d) d(n, N)
#define ARRAYS(a)                            \
    a(output, int, table, COUNT2(N, n, N, n)) \
    a(input, char, seq, COUNT1(N, n))
#include "kernel.h"

static inline int match(char left, char right) {
    return left + right == 3 ? 1 : 0;
}

static inline int max_score(int left, int right) {
    return left >= right ? left : right;
}

KERNEL void kernel_nussinov(int n, ARRAY1(char, seq, N, n), ARRAY2(int, table, N, n, N, n)) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = max_score(table[i][j], table[i][j - 1]);
            if (i + 1 < n)
                table[i][j] = max_score(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1)
                    table[i][j] = max_score(table[i][j], table[i + 1][j - 1] + match(seq[i], seq[j]));
                else
                    table[i][j] = max_score(table[i][j], table[i + 1][j - 1]);
            }
            for (int k = i + 1; k < j; k++)
                table[i][j] = max_score(table[i][j], table[i][k] + table[k + 1][j]);
        }
}

static void initialise(const struct problem *p) {
    VIEW1(char, seq);
    VIEW2(int, table, N, n);
    for (int i = 0; i < p->n; i++) {
        seq[i] = (char)((i + 1 + i / 5) % 4);
        for (int j = 0; j < p->n; j++)
            table[i][j] = 0;
    }
}

static void run(const struct problem *p) {
    kernel_nussinov(p->n, p->seq, p->table);
}

static struct work work(const struct problem *p) {
    double n = p->n;
    return (struct work){.operations = n * n * n / 3 + 2 * n * n,
                         .bytes = 4 * n * n + n};
}
