// A red-black smoother over a box with margins, whose sizes are read from a record: the two ends of rows of one colour take a dozen questions
// about remainders for each of its accesses, if they are asked one by one.
// RUN: env "POLYTILE=dump=scop;stop-after=scop" %clang -O3 -march=native -fopenmp -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=native -fopenmp -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=DONE %s
// RUN: %plainclang -O1 -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=run" %clang -O3 -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>
#define NI __attribute__((noinline))

struct box {
  int margin, js, ks, colour;
  double **fields;
};

// One domain, without a case for rows that have one cell: the colour is the only remainder.
// CHECK-LABEL: function "smooth"
// CHECK: domain { S0[i0, i1, i2] : 0 <= i0 < {{[^(]*}} and i2 >= 0 and 2*floor({{[^)]*}})/2) >= {{[^()]*}} }
// CHECK: write { S0[i0, i1, i2] -> M{{[0-9]+_[a-z_0-9]+}}[{{[^,]*}} + i0, {{[^,]*}} + i1, o2] : {{.*}}mod 2 = 0
// DONE: smoother.c:[[@LINE+6]]:3: remark: loop nest transformed: 1 statement, 1 parallel loop
NI void smooth(struct box *boxes, int at, int ilo, int jlo, int klo, int ihi, int jhi, int khi, double w) {
  const int gh = boxes[at].margin, js = boxes[at].js, ks = boxes[at].ks, colour = boxes[at].colour & 1;
  double *x = boxes[at].fields[0] + gh * (1 + js + ks);
  const double *f = boxes[at].fields[1] + gh * (1 + js + ks), *d = boxes[at].fields[2] + gh * (1 + js + ks);
  const double *bi = boxes[at].fields[3] + gh * (1 + js + ks), *bk = boxes[at].fields[4] + gh * (1 + js + ks);
  for (int k = klo; k < khi; k++)
    for (int j = jlo; j < jhi; j++)
      for (int i = ilo + ((ilo ^ j ^ k ^ colour) & 1); i < ihi; i += 2) {
        int c = i + j * js + k * ks;
        x[c] += d[c] * (f[c] - w * (bi[c + 1] * (x[c + 1] - x[c]) + bi[c] * (x[c - 1] - x[c]) + (x[c + js] + x[c - js]) +
                                    bk[c + ks] * (x[c + ks] - x[c]) + bk[c] * (x[c - ks] - x[c])));
      }
}

#ifdef MAIN
int main(void) {
  for (int n = 1; n < 24; n += n < 6 ? 1 : 8)
    for (int margin = 1; margin < 3; margin++) {
      int width = n + 2 * margin, all = width * width * width;
      double *fields[5];
      for (int f = 0; f < 5; f++) {
        fields[f] = malloc(sizeof(double) * all);
        for (int i = 0; i < all; i++)
          fields[f][i] = (i * 37 + f * 11) % 101 * .01;
      }
      for (int colour = 0; colour < 3; colour++) {
        struct box box = {margin, width, width * width, colour, fields};
        smooth(&box, 0, n > 3, 0, n > 5 ? 2 : 0, n, n, n - (n > 6), .25);
      }
      double s = 0;
      for (int i = 0; i < all; i++)
        s = s * .75 + fields[0][i];
      printf("%.17g\n", s);
      for (int f = 0; f < 5; f++)
        free(fields[f]);
    }
}
#endif
