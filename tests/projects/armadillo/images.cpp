// Filters, products and statistics on matrices and cubes; prints sums with all digits.
#include <armadillo>
#include <cstdio>
#include <cstdlib>

using namespace arma;

static void print(const char *what, double value) { std::printf("%s %.17g\n", what, value); }

int main(int argc, char **argv) {
  uword n = argc > 1 ? std::atoi(argv[1]) : 60;
  mat a(n, n), b(n, n);
  for (uword j = 0; j < n; j++)
    for (uword i = 0; i < n; i++) a(i, j) = (i * 7 + j * 13) % 31 / 31.0, b(i, j) = (i * 5 + j * 3) % 29 / 29.0;
  for (int round = 0; round < 3; round++) {
    print("product", accu(a * b));
    print("transposed", accu(a.t() * b - b * a.t()));
    print("expression", accu(sqrt(a % b) + exp(-a) / (1 + square(b)) - clamp(a, 0.2, 0.7)));
    print("convolution", accu(conv2(a.submat(0, 0, n - 1, n / 2), ones<mat>(5, 5) / 25, "same")));
    print("variance", accu(var(a)) + accu(mean(b, 1)) + stddev(vectorise(a)));
    print("covariance", accu(cov(a, b)));
    print("sums", accu(cumsum(a, 1)) + accu(diff(b)) + accu(max(a)) + accu(sort(b)));
    mat u = a, v = a;
    for (uword t = 0; t < n; t++) {
      v.submat(1, 1, n - 2, n - 2) = 0.25 * (u.submat(0, 1, n - 3, n - 2) + u.submat(2, 1, n - 1, n - 2) + u.submat(1, 0, n - 2, n - 3) + u.submat(1, 2, n - 2, n - 1));
      u.swap(v);
    }
    print("stencil", accu(u));
    cube c(n / 4, n / 4, 16);
    for (uword k = 0; k < 16; k++) c.slice(k) = a.submat(k, k, k + n / 4 - 1, k + n / 4 - 1) * (k + 1.0);
    print("cube", accu(sum(c, 2)) + c.max() + accu(mean(c, 0)));
    for (uword j = 0; j < n; j++)
      for (uword i = 0; i < n; i++) b(i, j) += 0.5 * a(n - 1 - i, j) - 0.25 * a(j, i);
    print("loops", accu(b));
    a = flipud(shift(a, 3)) * 0.999;
  }
}
