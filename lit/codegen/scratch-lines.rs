// REQUIRES: rustc
// Scratch lines of slices: what a bounds check leaves no iteration without was stored in each, so that values which the loop carries are elements of the line.
// RUN: env "POLYTILE=dump=ast" %rustc -O -C codegen-units=1 -C target-cpu=znver4 --crate-type=lib --emit=obj -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -O -C codegen-units=1 -C target-cpu=native -o %t.new %s
// RUN: rustc -O -C target-cpu=native -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
#[inline(never)]
pub fn rows(n: usize, u: &[f64], v: &mut [f64], c: &mut [f64], d: &mut [f64]) {
    for i in 0..n {
        let row = &u[i * n..(i + 1) * n];
        let out = &mut v[i * n..(i + 1) * n];
        c[0] = 0.2;
        d[0] = row[0];
        for j in 1..n {
            let m = 1.0 / (2.5 - 0.4 * c[j - 1]);
            c[j] = 0.4 * m;
            d[j] = (row[j] + 0.4 * d[j - 1]) * m;
        }
        out[n - 1] = d[n - 1];
        for j in (0..n - 1).rev() {
            out[j] = d[j] + c[j] * out[j + 1];
        }
    }
}

pub fn main() {
    for n in [1, 2, 5, 31, 33, 50, 101] {
        let mut a = vec![0.0; n * n];
        let mut b = vec![0.0; n * n];
        let (mut c, mut d) = (vec![0.0; n], vec![0.0; n]);
        for (i, x) in a.iter_mut().enumerate() {
            *x = (i * 7 % 13) as f64 * 0.25;
        }
        rows(n, &a, &mut b, &mut c, &mut d);
        rows(n, &b, &mut a, &mut c, &mut d);
        for x in a.iter().chain(&c).chain(&d) {
            println!("{:x}", x.to_bits());
        }
    }
}
