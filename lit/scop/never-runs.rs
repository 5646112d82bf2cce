// A product over no columns fills a matrix with zeros in loops of its own, whose bounds checks hold for whatever the panicking program is given: where there are columns, they say
// nothing about the lengths of slices.
// RUN: %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.new %s
// RUN: env "POLYTILE=only=none" %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.plain %s
// RUN: %t.plain > %t.expected && %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.forced %s && %t.forced | cmp - %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.new 2>&1 | FileCheck %s
// CHECK: product: new version 2 {{.*}} original {{[01]}}
#[inline(never)]
#[no_mangle]
fn product(n: usize, m: usize, k: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..k {
                s += a[i * k + l] * b[l * m + j];
            }
            c[i * m + j] = s;
        }
    }
}
fn main() {
    for (n, m, k) in [(120, 130, 140), (131, 117, 123), (100, 90, 0)] {
        let fill = |n: usize| (0..n).map(|i| (i % 37) as f64 - 11.0).collect::<Vec<f64>>();
        let (a, b, mut c) = (fill(n * k), fill(k * m), fill(n * m));
        product(n, m, k, &a, &b, &mut c);
        println!("{}", c.iter().fold(0.0, |s, x| s * 0.5 + x));
    }
}
