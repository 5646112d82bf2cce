// Bounds checks of slices: what they guard against is assumed not to happen in any iteration; where it does, the original runs and
// panics in the same iteration, with the same elements written before.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %rustc -C opt-level=3 --crate-type=lib --emit=obj -o %t.o %s 2>&1 | FileCheck %s
// RUN: %rustc -C opt-level=3 -o %t.new %s
// RUN: env "POLYTILE=only=none" %rustc -C opt-level=3 -o %t.plain %s
// RUN: %t.plain > %t.expected 2> /dev/null && %t.new 2> /dev/null | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -C opt-level=3 -o %t.forced %s && %t.forced 2> /dev/null | cmp - %t.expected
use std::panic::{AssertUnwindSafe, catch_unwind};

// CHECK: scop "product
// CHECK: poly-range 1 *
// CHECK: write { S{{[01]}}[i0, i1, i2] -> {{.*}}[i0, i1] }
#[unsafe(no_mangle)]
#[inline(never)]
pub fn product(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

// CHECK: scop "smoothed
// CHECK: write { S0[i0, i1] -> {{.*}}[{{1 \+ i0, 1 \+ i1|i0, 1 \+ i1|1 \+ i0, i1|i0, i1}}] }
#[unsafe(no_mangle)]
#[inline(never)]
pub fn smoothed(n: usize, a: &[f64], b: &mut [f64]) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
        }
    }
}

fn told(name: &str, values: &[f64]) {
    let sum = values.iter().fold(0.0, |s, v| s * 0.75 + v);
    println!("{name} {sum:?}");
}

fn main() {
    for n in [1, 2, 5, 64, 67] {
        let a: Vec<f64> = (0..n * n).map(|i| (i * 37 % 101) as f64 * 0.25).collect();
        let b: Vec<f64> = (0..n * n).map(|i| (i * 53 % 97) as f64 * 0.5).collect();
        for short in [0, 1, n, n * n / 2] {
            let mut c = vec![1.0; n * n];
            let ok = catch_unwind(AssertUnwindSafe(|| product(n, &a, &b[short..], &mut c))).is_ok();
            told(if ok { "product" } else { "product panics" }, &c);
            if n > 1 {
                let mut c = vec![1.0; n * n];
                let ok = catch_unwind(AssertUnwindSafe(|| smoothed(n, &a[short..], &mut c))).is_ok();
                told(if ok { "smoothed" } else { "smoothed panics" }, &c);
            }
        }
    }
}
