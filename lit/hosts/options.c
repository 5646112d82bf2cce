// A bad option is an error that names it and lists the valid ones.
// RUN: env POLYTILE=tile-size=3 not %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=NAME %s
// RUN: env POLYTILE=fusion=all not %clang -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: %clang -O2 -S -mllvm -polytile-fusion=max -o /dev/null %s
// NAME: unknown option 'tile-size'; valid options: {{.*}}tile-sizes
// VALUE: option 'fusion' does not take the value 'all', but none|smart|max|space|levels|original
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 1.0;
}
