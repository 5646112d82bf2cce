/* Transforms of many sizes and kinds, planned without measuring, and sums over their results. */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>

static double sum(const double *values, int count) {
  double all = 0;
  for (int i = 0; i < count; i++) all += values[i] * (i % 7 - 3);
  return all;
}

static void complex_transform(int n, int rounds) {
  fftw_complex *in = fftw_malloc(n * sizeof *in), *out = fftw_malloc(n * sizeof *out);
  fftw_plan forth = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan back = fftw_plan_dft_1d(n, out, in, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (int i = 0; i < n; i++) in[i][0] = i % 31 / 31.0, in[i][1] = i % 17 / 17.0;
  for (int r = 0; r < rounds; r++) {
    fftw_execute(forth);
    fftw_execute(back);
    for (int i = 0; i < n; i++) in[i][0] /= n, in[i][1] /= n;
  }
  printf("complex %d %.17g %.17g\n", n, sum(in[0], 2 * n), sum(out[0], 2 * n));
  fftw_destroy_plan(forth);
  fftw_destroy_plan(back);
  fftw_free(in);
  fftw_free(out);
}

static void real_transform(int n, int m, fftw_r2r_kind kind, int rounds) {
  double *in = fftw_malloc(n * m * sizeof *in), *out = fftw_malloc(n * m * sizeof *out);
  fftw_plan plan = fftw_plan_r2r_2d(n, m, in, out, kind, kind, FFTW_ESTIMATE);
  for (int i = 0; i < n * m; i++) in[i] = i % 29 / 29.0;
  for (int r = 0; r < rounds; r++) {
    fftw_execute(plan);
    for (int i = 0; i < n * m; i++) in[i] += out[i] / (n * m) / 8;
  }
  printf("real %d %d %d %.17g\n", n, m, (int)kind, sum(out, n * m));
  fftw_destroy_plan(plan);
  fftw_free(in);
  fftw_free(out);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int n = 2; n <= 70; n++) complex_transform(n, 20 * rounds);
  int large[] = {128, 243, 360, 625, 1001, 1024, 4096, 10007, 30030, 65536};
  for (int i = 0; i < 10; i++) complex_transform(large[i], rounds);
  fftw_r2r_kind kinds[] = {FFTW_R2HC, FFTW_HC2R, FFTW_DHT, FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT11};
  for (int i = 0; i < 10; i++) {
    real_transform(60, 45, kinds[i], 4 * rounds);
    real_transform(128, 96, kinds[i], rounds);
  }
}
