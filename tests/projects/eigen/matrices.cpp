// Products, factorizations and expressions on dense and sparse matrices; prints sums with all digits.
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cstdio>
#include <cstdlib>

using Eigen::MatrixXd;
using Eigen::VectorXd;

static void print(const char *what, double value) { std::printf("%s %.17g\n", what, value); }

static MatrixXd matrix(int n, int seed) {
  MatrixXd a(n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) a(i, j) = (i * 7 + j * seed) % 31 / 31.0 + (i == j ? n : 0);
  return a;
}

static void dense(int n) {
  MatrixXd a = matrix(n, 13), b = matrix(n, 5);
  VectorXd x = VectorXd::LinSpaced(n, -1, 1);
  print("product", (a * b).sum());
  print("lazy", a.lazyProduct(b.transpose()).sum());
  print("expression", (a.array() * b.array().sqrt() + a.array().exp().min(b.array()) / 3).sum());
  print("rows", (a.rowwise().squaredNorm() + b.colwise().maxCoeff().transpose()).sum());
  print("triangular", a.triangularView<Eigen::Upper>().solve(x).sum());
  print("lu", a.partialPivLu().solve(x).sum());
  print("qr", a.householderQr().solve(x).sum());
  print("cholesky", (a * a.transpose()).llt().solve(x).sum());
  MatrixXd s = a + a.transpose();
  print("eigenvalues", Eigen::SelfAdjointEigenSolver<MatrixXd>(s).eigenvalues().sum());
  print("singular", Eigen::BDCSVD<MatrixXd>(b).singularValues().sum());
  Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
  for (int i = 0; i < 1000 * n; i++) m = (m * (Eigen::Matrix4f::Ones() * 0.2f) + Eigen::Matrix4f::Identity()).eval();
  print("small", m.sum());
}

static void stencil(int n) {
  Eigen::ArrayXXd u = matrix(n, 3).array(), v = u;
  for (int t = 0; t < 2 * n; t++) {
    v.block(1, 1, n - 2, n - 2) = 0.25 * (u.block(0, 1, n - 2, n - 2) + u.block(2, 1, n - 2, n - 2) + u.block(1, 0, n - 2, n - 2) + u.block(1, 2, n - 2, n - 2));
    u.swap(v);
  }
  print("stencil", u.sum());
}

static void sparse(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  int size = n * n / 4;
  for (int i = 0; i < size; i++) {
    entries.emplace_back(i, i, 4);
    if (i + 1 < size) entries.emplace_back(i, i + 1, -1), entries.emplace_back(i + 1, i, -1);
    if (i + n < size) entries.emplace_back(i, i + n, -1), entries.emplace_back(i + n, i, -1);
  }
  Eigen::SparseMatrix<double> a(size, size);
  a.setFromTriplets(entries.begin(), entries.end());
  VectorXd b = VectorXd::LinSpaced(size, 0, 1);
  for (int i = 0; i < n; i++) b = (a * b / 7).eval();
  print("sparse product", b.sum());
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>> gradient(a);
  print("conjugate gradient", gradient.solve(b).sum());
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> direct(a);
  print("direct", direct.solve(b).sum());
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 30;
  dense(n);
  stencil(n);
  sparse(n);
}
