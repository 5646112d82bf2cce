// The same input gives the same object file, wherever it is compiled, and whatever is compiled at the same time.
// RUN: rm -rf %t && mkdir -p %t/one %t/two && cp %s %t/one/a.c && cp %s %t/two/a.c
// RUN: cd %t/one && %clang -O3 -march=znver4 -fopenmp -c a.c -o a.o
// RUN: cd %t/two && %clang -O3 -march=znver4 -fopenmp -c a.c -o a.o
// RUN: cmp %t/one/a.o %t/two/a.o
// RUN: cd %t/one && (%clang -O3 -march=znver4 -fopenmp -c a.c -o b.o & %clang -O3 -march=znver4 -fopenmp -c a.c -o c.o & wait)
// RUN: cmp %t/one/a.o %t/one/b.o && cmp %t/one/a.o %t/one/c.o
void product(int n, double c[500][500], double a[500][500], double b[500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
