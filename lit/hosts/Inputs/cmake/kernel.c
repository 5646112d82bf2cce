void kernel(int n, double (*restrict c)[100], double (*restrict a)[100], double (*restrict b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
