// How remarks name arrays: by the variable of the source where debug information tells it, by the name of the value in LLVM's
// IR where the front end keeps names, and otherwise by where the pointer comes from.
// RUN: %clang -O1 -g -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=VARIABLE %s
// RUN: %clang -O1 -fno-discard-value-names -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: %clang -O1 -g1 -Rpass-analysis=polytile -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NONE %s
// VARIABLE: static control part: 1 statement, 2 loops; total[], a[][]
// VALUE: static control part: 1 statement, 2 loops; pointer loaded in rows[], a[][]
// NONE: static control part: 1 statement, 2 loops; pointer loaded in rows[], argument 2 of rows[][]
struct sums {
  double *total;
};
void rows(int n, double (*restrict a)[100], struct sums s[1]) {
  double *restrict total = s->total;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      total[i] += a[i][j];
}
