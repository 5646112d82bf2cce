// A nest beside a call whose body has loops of its own, in a loop over steps that is no nest: the loops of the body are left to their function, and
// the nest is taken.
// RUN: %clang -O3 -march=native -S -o /dev/null %s -mllvm -polytile-verify=on -Rpass=polytile 2>&1 | FileCheck %s
struct level {
  int n, js, ks;
  double h, *u, *f, *tmp;
};

static void ghosts(const struct level *l, double *x) {
  int n = l->n, js = l->js, ks = l->ks;
  for (int k = 1; k <= n; k++)
    for (int j = 1; j <= n; j++) {
      x[j * js + k * ks] = -x[1 + j * js + k * ks];
      x[n + 1 + j * js + k * ks] = -x[n + j * js + k * ks];
    }
  for (int k = 1; k <= n; k++)
    for (int i = 0; i <= n + 1; i++) {
      x[i + k * ks] = -x[i + js + k * ks];
      x[i + (n + 1) * js + k * ks] = -x[i + n * js + k * ks];
    }
  for (int j = 0; j <= n + 1; j++)
    for (int i = 0; i <= n + 1; i++) {
      x[i + j * js] = -x[i + j * js + ks];
      x[i + j * js + (n + 1) * ks] = -x[i + j * js + n * ks];
    }
}

void smooth(struct level *l, int sweeps) {
  for (int s = 0; s < sweeps; s++) {
    const double *u = s & 1 ? l->tmp : l->u;
    double *out = s & 1 ? l->u : l->tmp;
    ghosts(l, (double *)u);
    // CHECK: beside-call.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement
    for (int k = 1; k <= l->n; k++)
      for (int j = 1; j <= l->n; j++)
        for (int i = 1; i <= l->n; i++) {
          int x = i + j * l->js + k * l->ks;
          double around = u[x - 1] + u[x + 1] + u[x - l->js] + u[x + l->js] + u[x - l->ks] + u[x + l->ks];
          out[x] = u[x] + .1 * (l->h * l->f[x] - 6 * u[x] + around);
        }
  }
}

void residual(struct level *l, double *r) {
  ghosts(l, l->u);
  ghosts(l, l->tmp);
  ghosts(l, r);
}
