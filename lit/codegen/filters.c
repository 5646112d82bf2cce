// Filters of many channels side by side, their coefficients in structures: the coefficients that only the output of a step takes are next to each other, too,
// and the channels are lanes.
// RUN: env POLYTILE=dump=ast %clang -O3 -march=native -ffp-contract=on -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -ffp-contract=on -march=native %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: env POLYTILE='min-work=0;parallel-min-us=0;verify=on' %clang -O3 -march=native -ffp-contract=on -fopenmp %s -lm -o %t.forced
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

typedef struct { float b0, b1, b2, a1, a2; } section;

// CHECK: for (c[[S:[0-9]+]] = 0; c[[S]] <= (p{{[01]}} - 1); c[[S]] += 1)
// CHECK-NEXT: {
// CHECK-NEXT: // vector
// CHECK-NEXT: for
// CHECK-NEXT: S{{[0-9]+}}(
// CHECK-NEXT: // vector
__attribute__((noinline)) void bank(const float *in, float *out, int steps, int channels, const section *f, float *z1, float *z2) {
  for (int c = 0; c < channels; c++) {
    float x1 = z1[c], x2 = z2[c];
    for (int s = 0; s < steps; s++) {
      float x = in[s * channels + c];
      float y = f[c].b0 * x + x1;
      x1 = f[c].b1 * x - f[c].a1 * y + x2;
      x2 = f[c].b2 * x - f[c].a2 * y;
      out[s * channels + c] = y;
    }
    z1[c] = x1;
    z2[c] = x2;
  }
}

int main(void) {
  for (int channels = 0; channels < 40; channels += 13)
    for (int steps = 0; steps < 50; steps += 49) {
      float *in = malloc(steps * channels * sizeof *in + 1), *out = malloc(steps * channels * sizeof *out + 1);
      float *z1 = calloc(channels + 1, sizeof *z1), *z2 = calloc(channels + 1, sizeof *z2);
      section *f = malloc(channels * sizeof *f + 1);
      for (int c = 0; c < channels; c++)
        f[c] = (section){.2f + .001f * c, .3f, .2f - .002f * c, -.4f, .1f};
      for (int i = 0; i < steps * channels; i++)
        in[i] = i * 7 % 31 - 15;
      bank(in, out, steps, channels, f, z1, z2);
      for (int i = 0; i < steps * channels; i++)
        printf("%a\n", out[i]);
      for (int c = 0; c < channels; c++)
        printf("%a %a\n", z1[c], z2[c]);
      // The state is an output as well: the next block goes on from it, and the input may be what was put out.
      bank(out, out, steps, channels, f, z1, z2);
      for (int i = 0; i < steps * channels; i++)
        printf("%a\n", out[i]);
      free(in), free(out), free(z1), free(z2), free(f);
    }
}
