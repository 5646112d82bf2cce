// Three matrices and two vectors of N, and what they begin with.
static double a[N][N], b[N][N], c[N][N], y[N + 1], x[N];
static void fill(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i % 13 * 0.3;
    y[i] = i % 7 * 0.01;
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 7 + j * 13) % 31 * 0.0037;
      b[i][j] = (i + j * 5) % 57 * 0.11;
      c[i][j] = (i * 3 + j * 11) % 17 * 0.7;
    }
  }
}
