// Rows by `chunks_exact` of a length that is known at run time only, and windows: the loop goes on while what is left is enough for one more. The number of
// rows is a quotient, which may be the length of other rows.
// RUN: %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.new %s
// RUN: env "POLYTILE=only=none" %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.plain %s
// RUN: %t.plain > %t.expected && %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.forced %s && %t.forced | cmp - %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.new 2>&1 | FileCheck %s
// CHECK-DAG: gram: new version 2 {{.*}} original 0
// CHECK-DAG: smoothed: new version 2 {{.*}} original 0
#[inline(never)]
#[no_mangle]
fn gram(a: &[f64], n: usize, g: &mut [f64]) {
    let rows = a.len() / n;
    for (i, r) in a.chunks_exact(n).enumerate() {
        for (j, s) in a.chunks_exact(n).enumerate() {
            g[i * rows + j] = r.iter().zip(s).map(|(x, y)| x * y).sum::<f64>();
        }
    }
}
#[inline(never)]
#[no_mangle]
fn scaled(a: &mut [f64], n: usize, by: &[f64]) {
    for r in a.chunks_exact_mut(n) {
        for (x, k) in r.iter_mut().zip(by) {
            *x = *x * k + 1.0;
        }
    }
}
#[inline(never)]
#[no_mangle]
fn smoothed(a: &[f64], width: usize, out: &mut [f64]) {
    for (i, w) in a.windows(width).enumerate() {
        out[i] = 0.0;
        for (j, x) in w.iter().enumerate() {
            out[i] += x * j as f64;
        }
    }
}
fn main() {
    // (1, 3): fewer elements than a row; (_, 1): rows of one element.
    for (len, n) in [(160 * 130, 130), (700_001, 1000), (35, 6), (1, 3), (40, 1), (0, 5)] {
        let mut a: Vec<f64> = (0..len).map(|i| (i % 37) as f64 - 11.0).collect();
        let by: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / 64.0).collect();
        let rows = len / n;
        let mut g = vec![0.0; if rows < 200 { rows * rows } else { 0 }];
        if rows < 200 {
            gram(&a, n, &mut g);
        }
        scaled(&mut a, n, &by);
        let mut out = vec![0.0; len];
        smoothed(&a, n.min(9), &mut out);
        let all = a.iter().chain(&g).chain(&out);
        println!("{}", all.fold(0.0, |s, x| s * 0.5 + x));
    }
}
