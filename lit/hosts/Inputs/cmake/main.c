#include <stdio.h>

enum { N = 100 };
void kernel(int n, double (*restrict c)[N], double (*restrict a)[N], double (*restrict b)[N]);
static double a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N * N; i++)
    a[i / N][i % N] = b[i / N][i % N] = 1;
  kernel(N, c, a, b);
  double sum = 0;
  for (int i = 0; i < N * N; i++)
    sum += c[i / N][i % N];
  printf("sum %.0f\n", sum);
  fflush(stdout);
}
