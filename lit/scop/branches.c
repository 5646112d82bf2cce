// Conditions on the way to a nest are no parameters of it, however many there are: only what the nest uses is one.
// RUN: env POLYTILE='dump=scop;stop-after=scop' %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-COUNT-16: {{^scop}}
// RUN: env POLYTILE='dump=scop;stop-after=scop' %clang -O2 -S -o /dev/null %s 2>&1 | grep -c "^param" | FileCheck %s --check-prefix=PARAMS
// PARAMS: {{^16$}}
int asked(int);
#define BRANCH(k)                                                                                                                \
  if (asked(p##k) == k)                                                                                                          \
    for (long i = 0; i < n; i++)                                                                                                 \
      for (long j = 0; j < n; j++)                                                                                               \
        a[j][i] += b[i][j] * k;                                                                                                  \
  else
void f(long n, double (*restrict a)[200], double (*restrict b)[200], int p1, int p2, int p3, int p4, int p5, int p6, int p7, int p8,
       int p9, int p10, int p11, int p12, int p13, int p14, int p15, int p16) {
  BRANCH(1) BRANCH(2) BRANCH(3) BRANCH(4) BRANCH(5) BRANCH(6) BRANCH(7) BRANCH(8) BRANCH(9) BRANCH(10) BRANCH(11) BRANCH(12)
  BRANCH(13) BRANCH(14) BRANCH(15) BRANCH(16);
}
