/* Calls the product of matmul.c and prints its checksum. */
#include <stdio.h>

enum { N = 37 };
void matmul(int n, double A[n][n], double B[n][n], double C[n][n]);
static double A[N][N], B[N][N], C[N][N];

int main(void) {
    for (int i = 0; i < N * N; i++) {
        A[i / N][i % N] = i % 7;
        B[i / N][i % N] = i % 11;
    }
    matmul(N, A, B, C);
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        sum += C[i / N][i % N] * (i % 13);
    printf("checksum %.1f\n", sum);
    return 0;
}
