// Stores under one condition on data, which share what they compute: the branch is taken once in an iteration, and what the stores share is
// computed once. A store in between that changes what the condition has read does not change the condition.
// RUN: %clang -O2 -march=native -ffp-contract=off -fopenmp %s -o %t -lm -mllvm -polytile-min-work=0 -mllvm -polytile-verify=on -Rpass=polytile 2>&1 | FileCheck %s
// RUN: clang-22 -O2 -march=native -ffp-contract=off %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 %t | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t | cmp - %t.expected
#include <math.h>
#include <stdio.h>
#include <string.h>
#define N 70
#define KERNEL __attribute__((noinline)) static

static double f[N][N][5], g[N][N][5], a[N][N], b[N][N], c[N][N], d[N][N];
static unsigned char wall[N][N];

// An update of a cell that is a wall or not: two statements, of five and of three stores.
// CHECK-DAG: branches.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed: 2 statements
KERNEL void collide(int n, double omega) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double *p = f[y][x];
            if (wall[y][x]) {
                double t = p[1];
                p[1] = p[2];
                p[2] = t;
                p[0] = t + 1.0;
                continue;
            }
            double rho = p[0] + p[1] + p[2] + p[3] + p[4];
            double u = (p[1] - p[2]) / rho, v = (p[3] - p[4]) / rho, s = 1.0 - 1.5 * (u * u + v * v);
            p[0] += omega * (rho * s * 0.5 - p[0]);
            p[1] += omega * (rho * (s + 3.0 * u) * 0.125 - p[1]);
            p[2] += omega * (rho * (s - 3.0 * u) * 0.125 - p[2]);
            p[3] += omega * (rho * (s + 3.0 * v) * 0.125 - p[3]);
            p[4] += omega * (rho * (s - 3.0 * v) * 0.125 - p[4]);
        }
}

// Fields of their own.
// CHECK-DAG: branches.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement
KERNEL void fields(int n, double h) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i][j] > b[i][j]) {
                double w = sqrt(a[i][j] * a[i][j] + h * h) / (1.0 + fabs(b[i][j]));
                c[i][j] = w + h;
                d[i][j] -= w * h;
            }
}

// The first store changes what the condition has read.
KERNEL void flips(int n, double h) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i][j] > 0.0) {
                double w = a[i][j] * b[i][j] / (1.0 + a[i][j]);
                a[i][j] = h - w;
                c[i][j] = w;
                if (a[i][j] > 0.0)
                    d[i][j] = w + a[i][j];
            }
}

// Conditions that look alike and read other elements, or ask the contrary.
KERNEL void others(int n, double h) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n; j++) {
            double w = h / (1.0 + a[i][j]);
            if (b[i][j] > h)
                c[i][j] = w;
            if (b[i][j + 1] > h)
                d[i][j] = w + 1.0;
            if (!(b[i][j] > h))
                a[i][j] = w + 2.0;
        }
}

// A value that is used under the condition and behind it.
KERNEL void behind(int n, double h) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double w = 0.0;
            if (wall[i][j]) {
                w = h * b[i][j] / (2.0 + a[i][j]);
                c[i][j] = w;
                d[i][j] = w * w;
            }
            a[i][j] += w;
        }
}

static void fill(int seed) {
    double *all[] = {f[0][0], g[0][0], a[0], b[0], c[0], d[0]};
    int sizes[] = {N * N * 5, N * N * 5, N * N, N * N, N * N, N * N};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < sizes[k]; i++)
            all[k][i] = ((i * 37 + k * 11 + seed) % 101 - 30) / 17.0 + (k == 0 ? 2.0 : 0.0);
    for (int i = 0; i < N * N; i++)
        (&wall[0][0])[i] = (i * 7 + seed) % 5 == 0;
    a[3][4] = NAN;
    b[5][6] = NAN;
}

static unsigned long long hash(void) {
    double *all[] = {f[0][0], a[0], b[0], c[0], d[0]};
    int sizes[] = {N * N * 5, N * N, N * N, N * N, N * N};
    unsigned long long h = 1469598103934665603u;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < sizes[k]; i++) {
            unsigned long long bits;
            memcpy(&bits, &all[k][i], sizeof bits);
            h = (h ^ bits) * 1099511628211u;
        }
    return h;
}

int main(void) {
    int sizes[] = {0, 1, 2, 7, 33, N};
    for (int k = 0; k < 6; k++) {
        fill(k);
        collide(sizes[k], 1.6);
        printf("%d %llx", sizes[k], hash());
        fields(sizes[k], 0.25);
        printf(" %llx", hash());
        flips(sizes[k], 0.75);
        printf(" %llx", hash());
        others(sizes[k], 0.5);
        printf(" %llx", hash());
        behind(sizes[k], 0.125);
        printf(" %llx\n", hash());
    }
    return 0;
}
