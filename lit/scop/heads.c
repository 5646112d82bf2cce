// Parts of a row that are numbered: heads of a transformer, h*hs with hs = C/NH in rows of 3*C. The quotient is a size that is known in front
// of the nest, and what is read needs no rows.
// RUN: %clang -O2 -fno-discard-value-names -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fwrapv -fwrapv-pointer -march=native -DMAIN %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clang -O3 -fwrapv -fwrapv-pointer -march=native -fopenmp -DMAIN %s -o %t.new
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
#include <stdio.h>
#define NI __attribute__((noinline))

// CHECK: scop "scores
// CHECK: array M{{[0-9]}}_inp f32 memory {{.*}} extents ()
NI void scores(float *att, const float *inp, int B, int T, int C, int NH) {
  int hs = C / NH;
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int h = 0; h < NH; h++) {
        const float *q = inp + b * T * 3 * C + t * 3 * C + h * hs;
        for (int t2 = 0; t2 <= t; t2++) {
          const float *k = inp + b * T * 3 * C + t2 * 3 * C + h * hs + C;
          float val = 0;
          for (int i = 0; i < hs; i++)
            val += q[i] * k[i];
          att[b * NH * T * T + h * T * T + t * T + t2] = val;
        }
      }
}

// Written: heads have to lie inside of rows.
NI void values(float *out, const float *att, const float *inp, int T, int C, int NH) {
  int hs = C / NH;
  for (int t = 0; t < T; t++)
    for (int h = 0; h < NH; h++)
      for (int t2 = 0; t2 <= t; t2++)
        for (int i = 0; i < hs; i++)
          out[t * C + h * hs + i] += att[h * T * T + t * T + t2] * inp[t2 * 3 * C + 2 * C + h * hs + i];
}

#ifdef MAIN
#define N 60000
static float att[N], inp[N], out[N];
static void fill(void) {
  for (int i = 0; i < N; i++)
    inp[i] = i * 37 % 101 * .25f, att[i] = i * 53 % 97 * .5f, out[i] = i % 7;
}
static void show(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s = s * .75 + att[i] + inp[i] + out[i];
  printf("%.17g\n", s);
}
int main(void) {
  for (int B = 0; B < 3; B++)
    for (int T = 0; T < 25; T += T < 3 ? 1 : 10)
      for (int C = -3; C < 60; C += C < 3 ? 1 : 19)
        for (int NH = 1; NH < 9; NH += 3) {
          fill(), scores(att, inp + N / 4, B, T, C, NH), show();
          fill(), scores(inp, inp + N / 4, B, T, C, NH), show();
          fill(), scores(inp + N / 4, inp + N / 4, B, T, C, -NH), show();
          fill(), scores(inp + N / 4 + 9, inp + N / 4, B, T, C, NH), show();
          fill(), values(out + N / 2, att, inp + N / 4, T, C, NH), show();
          fill(), values(inp + N / 4, att, inp + N / 4, T, C, NH), show();
        }
}
#endif
