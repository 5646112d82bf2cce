// Arrays that a function keeps to itself stay so beside a new version that is handed their addresses: what is loaded in vectors or through other
// pointers is hoisted out of the original's loops as before. Where the address has gone out, nothing of the kind is said.
// RUN: %clang -O3 -g1 -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s
// CHECK: define internal {{.*}} @kept.polytile.[[#]]({{.*}}ptr captures(none) %{{[0-9]+}}, ptr captures(none) %{{[0-9]+}}, ptr captures(none)
void kept(int blocks, float (*restrict in)[64], float (*restrict c)[64], float (*restrict out)[64]) {
  for (int b = 0; b < blocks; b++) {
    float w[64][64];
    for (int i = 0; i < 64; i++)
      for (int j = 0; j < 64; j++) {
        float s = 0;
        for (int k = 0; k < 64; k++)
          s += c[i][k] * in[64 * b + k][j];
        w[i][j] = s;
      }
    for (int i = 0; i < 64; i++)
      for (int j = 0; j < 64; j++) {
        float s = 0;
        for (int k = 0; k < 64; k++)
          s += w[i][k] * c[k][j];
        out[64 * b + i][j] = s;
      }
  }
}

// CHECK: define internal {{.*}} @gone.polytile.[[#]](
// CHECK-NOT: captures
// CHECK-SAME: {
void finish(void);
void keep(float (*)[64], float (*)[64], float (*)[64]);
void gone(int n) {
  float a[64][64], b[64][64], c[64][64];
  keep(a, b, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  finish();
}
