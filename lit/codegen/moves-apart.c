// Fields of large structures that are only moved: each is loaded and stored by itself, whatever LLVM's vectorizer thinks of gathers and scatters.
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s
// CHECK-LABEL: define {{.*}}@stream.polytile
// CHECK-NOT: call {{.*}}@llvm.masked.scatter
// CHECK-LABEL: define {{.*}}@bounce.polytile
// CHECK-NOT: call {{.*}}@llvm.masked.scatter
struct cell {
  double f[9];
};

void stream(int n, int m, struct cell (*restrict to)[m], const struct cell (*restrict from)[m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      to[i][j].f[0] = from[i][j].f[0];
      to[i][j].f[1] = from[i - 1][j].f[1];
      to[i][j].f[2] = from[i][j - 1].f[2];
      to[i][j].f[3] = from[i + 1][j].f[3];
      to[i][j].f[4] = from[i][j + 1].f[4];
      to[i][j].f[5] = from[i - 1][j - 1].f[5];
      to[i][j].f[6] = from[i + 1][j - 1].f[6];
      to[i][j].f[7] = from[i + 1][j + 1].f[7];
      to[i][j].f[8] = from[i - 1][j + 1].f[8];
    }
}

// The same where data choose what is moved.
void bounce(int n, int m, struct cell (*restrict to)[m], const struct cell (*restrict from)[m], const unsigned char (*restrict solid)[m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      to[i][j].f[0] = solid[i][j] ? from[i][j].f[0] : 0;
      to[i][j].f[1] = solid[i - 1][j] ? from[i][j].f[3] : from[i - 1][j].f[1];
      to[i][j].f[2] = solid[i][j - 1] ? from[i][j].f[4] : from[i][j - 1].f[2];
      to[i][j].f[3] = solid[i + 1][j] ? from[i][j].f[1] : from[i + 1][j].f[3];
      to[i][j].f[4] = solid[i][j + 1] ? from[i][j].f[2] : from[i][j + 1].f[4];
      to[i][j].f[5] = solid[i - 1][j - 1] ? from[i][j].f[7] : from[i - 1][j - 1].f[5];
      to[i][j].f[6] = solid[i + 1][j - 1] ? from[i][j].f[8] : from[i + 1][j - 1].f[6];
      to[i][j].f[7] = solid[i + 1][j + 1] ? from[i][j].f[5] : from[i + 1][j + 1].f[7];
      to[i][j].f[8] = solid[i - 1][j + 1] ? from[i][j].f[6] : from[i - 1][j + 1].f[8];
    }
}
