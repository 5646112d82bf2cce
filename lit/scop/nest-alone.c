// A nest and, behind it, a loop over all its elements: together they do not fit one shape, where a source at a place of its own is one more question.
// The nest by itself is one region with all that is in it; a part of it was lost.
//
// RUN: %clang -O3 -g1 -Rpass=polytile -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O3 -march=native %s -o %t.plain
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -march=native -fopenmp %s -o %t.new
// RUN: for n in 2 3 9 40; do %t.plain $n; done > %t.expected
// RUN: for n in 2 3 9 40; do env OMP_NUM_THREADS=1 %t.new $n; done | cmp - %t.expected
// RUN: for n in 2 3 9 40; do env OMP_NUM_THREADS=3 %t.new $n; done | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int nx, nz;
  float *p, *vx, *vz, *rho;
} Model;
#define AT(a, i, k) m->a[(i) * m->nz + (k)]

static void velocity(Model *m) {
  for (int i = 0; i < m->nx - 1; i++)
    for (int k = 0; k < m->nz - 1; k++) {
      AT(vx, i, k) -= .4f * (AT(p, i + 1, k) - AT(p, i, k)) / AT(rho, i, k);
      AT(vz, i, k) -= .4f * (AT(p, i, k + 1) - AT(p, i, k)) / AT(rho, i, k);
    }
}

static void pressure(Model *m) {
  for (int i = 1; i < m->nx; i++)
    for (int k = 1; k < m->nz; k++)
      AT(p, i, k) -= .4f * (AT(vx, i, k) - AT(vx, i - 1, k) + AT(vz, i, k) - AT(vz, i, k - 1));
}

int main(int argc, char **argv) {
  Model all, *m = &all;
  m->nx = argc > 1 ? atoi(argv[1]) : 40;
  m->nz = m->nx + 30;
  int n = m->nx * m->nz;
  float **fields[] = {&m->p, &m->vx, &m->vz, &m->rho}, record[30];
  for (int i = 0; i < 4; i++)
    *fields[i] = calloc(n, sizeof(float));
  for (int i = 0; i < m->nx; i++)
    for (int k = 0; k < m->nz; k++)
      AT(rho, i, k) = 1 + (k > m->nz / 2) * .5f;
  // CHECK: nest-alone.c:[[@LINE+1]]:3: remark: loop nest transformed: {{[0-9]+}} statements, 2 parallel loops
  for (int t = 0; t < 30; t++) {
    velocity(m);
    pressure(m);
    AT(p, m->nx / 2, m->nz / 3) += t < 20 ? .1f * (10 - t) : 0;
    record[t] = AT(p, m->nx / 3, 10);
  }
  double sum = 0;
  for (int t = 0; t < 30; t++)
    sum += record[t] * t;
  for (int i = 0; i < n; i++)
    sum += m->p[i];
  printf("%d %.9g\n", m->nx, sum);
}
