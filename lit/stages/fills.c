// Fills in front of a chain: in its loops they would lose their lanes, and what they compute counts in full. Without fusion the program is
// faster, although the first candidate may be faster than the original, too.
// RUN: env "POLYTILE=dump=model;only=add" %clang -O3 -march=znver4 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: env "POLYTILE=dump=model;only=distance" %clang -O3 -march=znver4 -fopenmp -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=DISTANCE
// RUN: env "POLYTILE=dump=model;only=count" %clang -O3 -march=znver5 -fopenmp -c -o /dev/null %s 2> %t.txt
// RUN: env "POLYTILE=dump=model;only=modulo" %clang -O3 -march=znver5 -fopenmp -c -o /dev/null %s 2>> %t.txt
// RUN: awk '$5 == "original" { sub("one=", "", $6); time[$2] = $6 + 0 } END { exit !(time["modulo"] > time["count"]) }' %t.txt
// Where the user says when new versions run, printing the candidates chooses no other one.
// RUN: env "POLYTILE=min-work=1" %clang -O3 -march=znver4 -fopenmp -S -o %t.quiet %s
// RUN: env "POLYTILE=min-work=1;dump=model" %clang -O3 -march=znver4 -fopenmp -S -o %t.printed %s
// RUN: cmp %t.quiet %t.printed
enum { N = 2000, M = 64 };

// ADD: candidate plan
// ADD: candidate apart {{.*}} chosen
unsigned short a[N][M], b[N][M], c[N][M];
void add(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = (i * 7 + j * 3 + 1) % 97;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      b[i][j] = (i * 7 + j * 3 + 18) % 97;
  for (int i = 0; i < N; i++) {
    unsigned long carry = 0;
    for (int j = 0; j < M; j++) {
      unsigned long s = (unsigned long)a[i][j] + b[i][j] + carry;
      c[i][j] = s;
      carry = s >> 16;
    }
  }
}

// DISTANCE: candidate plan
// DISTANCE: candidate apart {{.*}} chosen
static int d[701][721];
static unsigned char s[700], q[720];
int distance(void) {
  for (int i = 0; i < 701; i++)
    for (int j = 0; j < 721; j++)
      d[i][j] = 0;
  for (int i = 0; i < 700; i++)
    s[i] = (i * 7 + 18) % 97;
  for (int j = 0; j < 720; j++)
    q[j] = (j * 7 + 35) % 97;
  for (int i = 0; i < 701; i++)
    d[i][0] = i;
  for (int j = 0; j < 721; j++)
    d[0][j] = j;
  for (int i = 1; i < 701; i++)
    for (int j = 1; j < 721; j++) {
      int x = d[i - 1][j - 1] + (s[i - 1] != q[j - 1]), y = d[i - 1][j] + 1, z = d[i][j - 1] + 1;
      x = x < y ? x : y;
      d[i][j] = x < z ? x : z;
    }
  return d[700][720];
}

unsigned e[N][M];
void count(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      e[i][j] = i * 7 + j * 3;
}
void modulo(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      e[i][j] = ((i * 7 + j * 3) % 97 * (j + 5) % 89 + i) % 83;
}
