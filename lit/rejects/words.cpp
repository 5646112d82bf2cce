// Functions have the names of the source, and each nest of the source is told once, also where the compiler has made several of it.
// RUN: %clangxx -O3 -g1 -Rpass-missed=polytile -c -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=remark:
namespace physics {
template <class T> T field(T x);
}
// CHECK: words.cpp:[[#@LINE+2]]:3: remark: loop nest not transformed: call of 'double physics::field<double>(double)', which has effects at {{.*}}words.cpp:[[#@LINE+4]]:{{[0-9]+}}; a function that can be inlined, or is declared pure, would do
void apply(int n, double (*a)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = physics::field(a[i][j]);
}
// Loop unswitching makes a loop for each case of the condition.
// CHECK: words.cpp:[[#@LINE+2]]:3: remark: loop nest not transformed: a subscript depends on data at {{.*}}words.cpp:[[#@LINE+6]]:{{[0-9]+}}; writes to a[i] instead of a[p[i]], and reads of arrays that are restrict, would do
void histogram(int n, bool twice, int *__restrict h, const unsigned char (*__restrict image)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (twice)
        h[0]++;
      h[image[i][j]]++;
    }
}
