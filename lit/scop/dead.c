// Objects that nobody reads behind a nest: local ones and blocks from an allocation function whose pointer stays in the function, freed, gone or
// allocated anew before a read. Where a way leads back into the nest, they are taken for read.
// RUN: env "POLYTILE=dump=scop;min-work=0" %clang -O2 -fno-inline -march=znver4 -S -emit-llvm -o /dev/null %s 2>&1 | grep -E "^(scop|array)" | FileCheck %s
#include <stdlib.h>
#include <string.h>
void see(const double *);
void keep(double *);
double *kept;

// CHECK-LABEL: function "freed"
// CHECK-NEXT: array {{.*}} extents () dead
// CHECK-NEXT: array {{.*}}argument_2{{.*}} extents (){{$}}
void freed(int n, double *out) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
  free(t);
}

// CHECK-LABEL: function "local"
// CHECK: array {{.*}} dead
void local(int n, double *out) {
  double t[n + 1];
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
}

// The walk begins anew with each object.
// CHECK-LABEL: function "fresh"
// CHECK: array {{.*}} dead
void fresh(int m, int n, double *out) {
  for (int k = 0; k < m; k++) {
    double *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
      t[i] = i;
    for (int i = 0; i < n; i++)
      out[i] += t[i];
    free(t);
    see(out);
  }
}

// CHECK-NOT: dead
// CHECK-LABEL: function "again"
void again(int m, int n, double *out) {
  double *t = calloc(n, sizeof *t);
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++)
      t[i] += i;
    for (int i = 0; i < n; i++)
      out[i] += t[i];
    see(out);
  }
  free(t);
}

// CHECK-LABEL: function "escapes"
void escapes(int n, double *out) {
  double *t = malloc(n * sizeof *t);
  kept = t;
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
}

// CHECK-LABEL: function "handed_out"
void handed_out(int n, double *out) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
  keep(t);
  free(t);
}

// CHECK-LABEL: function "returned"
double *returned(int n, double *out) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
  return t;
}

// CHECK-LABEL: function "read_behind"
double read_behind(int n, double *out) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
  see(out);
  double last = t[n / 2];
  free(t);
  return last;
}

// CHECK-LABEL: function "copied_behind"
void copied_behind(int n, double *out) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
  see(out);
  memcpy(out, t, n * sizeof *t);
  free(t);
}

// One of two objects is freed, the other one read: which is which is not known.
// CHECK-LABEL: function "either"
double either(int n, int c, double *out) {
  double *t = malloc(n * sizeof *t), *u = malloc(n * sizeof *u);
  for (int i = 0; i < n; i++)
    t[i] = i;
  for (int i = 0; i < n; i++)
    out[i] += t[i];
  see(out);
  u[n / 2] = 1;
  double *one = c ? t : u, *other = c ? u : t;
  free(one);
  double last = other[n / 2];
  free(other);
  return last;
}

// The object of the iteration before is read behind the nest of this one.
// CHECK-LABEL: function "earlier"
double earlier(int m, int n, double *out) {
  double *before = 0, sum = 0;
  for (int k = 0; k < m; k++) {
    double *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
      t[i] = i;
    for (int i = 0; i < n; i++)
      out[i] += t[i];
    see(out);
    if (before) {
      sum += before[n / 2];
      free(before);
    }
    before = t;
  }
  return sum;
}
