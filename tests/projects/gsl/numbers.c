/* Linear algebra, special functions, integration, random numbers and statistics. */
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_wavelet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double total(const gsl_matrix *m) {
  double all = 0;
  for (size_t i = 0; i < m->size1; i++)
    for (size_t j = 0; j < m->size2; j++) all += gsl_matrix_get(m, i, j) * ((i + j) % 5);
  return all;
}

static void fill(gsl_matrix *m, gsl_rng *random) {
  for (size_t i = 0; i < m->size1; i++)
    for (size_t j = 0; j < m->size2; j++) gsl_matrix_set(m, i, j, gsl_rng_uniform(random) + (i == j ? m->size1 : 0));
}

static void algebra(int n, gsl_rng *random) {
  gsl_matrix *a = gsl_matrix_alloc(n, n), *b = gsl_matrix_alloc(n, n), *v = gsl_matrix_alloc(n, n);
  gsl_vector *x = gsl_vector_alloc(n), *y = gsl_vector_alloc(n);
  gsl_permutation *p = gsl_permutation_alloc(n);
  int sign;
  fill(a, random);
  gsl_matrix_memcpy(b, a);
  gsl_vector_set_all(y, 1.5);
  gsl_linalg_LU_decomp(b, p, &sign);
  gsl_linalg_LU_solve(b, p, y, x);
  printf("LU %.17g %.17g\n", total(b), gsl_linalg_LU_lndet(b));
  gsl_linalg_LU_invert(b, p, v);
  printf("inverse %.17g\n", total(v));
  gsl_matrix_memcpy(b, a);
  gsl_linalg_QR_decomp(b, y);
  printf("QR %.17g %.17g\n", total(b), gsl_vector_get(y, n / 2));
  gsl_blas_dsyrk(CblasLower, CblasNoTrans, 1, a, 0, b);
  gsl_linalg_cholesky_decomp1(b);
  printf("Cholesky %.17g\n", total(b));
  gsl_matrix_memcpy(b, a);
  gsl_linalg_SV_decomp(b, v, x, y);
  printf("SVD %.17g %.17g %.17g\n", total(b), total(v), gsl_vector_get(x, n - 1));
  gsl_matrix_memcpy(b, a);
  gsl_matrix_transpose(b);
  gsl_matrix_add(b, a);
  gsl_eigen_symmv_workspace *w = gsl_eigen_symmv_alloc(n);
  gsl_eigen_symmv(b, x, v, w);
  printf("eigenvalues %.17g %.17g\n", gsl_vector_max(x), gsl_vector_min(x));
  gsl_blas_dgemm(CblasTrans, CblasNoTrans, 0.5, a, v, 0, b);
  printf("product %.17g\n", total(b));
  gsl_eigen_symmv_free(w);
  gsl_permutation_free(p);
  gsl_matrix_free(a), gsl_matrix_free(b), gsl_matrix_free(v);
  gsl_vector_free(x), gsl_vector_free(y);
}

static double wave(double x, void *parameter) { return sin(x * *(double *)parameter) / (1 + x * x); }

static void functions(int n) {
  double all = 0;
  for (int i = 1; i < 40 * n; i++) {
    double x = i * 0.37 / n;
    all += gsl_sf_bessel_J0(x) + gsl_sf_gamma(x + 0.5) + gsl_sf_erf(x) + gsl_sf_zeta(x + 1.1) + gsl_sf_legendre_Pl(i % 9, x / 20);
  }
  printf("functions %.17g\n", all);
  gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
  for (double k = 1; k < 9; k++) {
    double result, error;
    gsl_function f = {wave, &k};
    gsl_integration_qag(&f, 0, 9, 0, 1e-9, 1000, 3, w, &result, &error);
    printf("integral %.17g %.17g\n", result, error);
  }
  gsl_integration_workspace_free(w);
}

static void series(int n, gsl_rng *random) {
  int m = 16384;
  double *x = malloc(2 * m * sizeof *x), *y = malloc(2 * m * sizeof *y);
  for (int r = 0; r < n / 10; r++) {
    for (int i = 0; i < 2 * m; i++) x[i] = gsl_ran_gaussian(random, 2), y[i] = x[i] + gsl_rng_uniform(random);
    double c0, c1, cov00, cov01, cov11, chi;
    gsl_fit_linear(x, 1, y, 1, m, &c0, &c1, &cov00, &cov01, &cov11, &chi);
    printf("fit %.17g %.17g %.17g\n", c0, c1, chi);
    printf("statistics %.17g %.17g %.17g\n", gsl_stats_variance(x, 1, m), gsl_stats_skew(x, 1, m), gsl_stats_correlation(x, 1, y, 1, m));
    gsl_fft_complex_radix2_forward(x, 1, m);
    gsl_wavelet *w = gsl_wavelet_alloc(gsl_wavelet_daubechies, 8);
    gsl_wavelet_workspace *space = gsl_wavelet_workspace_alloc(m);
    gsl_wavelet_transform_forward(w, y, 1, m, space);
    printf("transforms %.17g %.17g\n", x[77], y[77]);
    gsl_wavelet_free(w);
    gsl_wavelet_workspace_free(space);
    gsl_sort(x, 1, m);
    printf("median %.17g\n", gsl_stats_median_from_sorted_data(x, 1, m));
  }
  free(x), free(y);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  algebra(n, random);
  functions(n);
  series(n, random);
  gsl_rng_free(random);
}
