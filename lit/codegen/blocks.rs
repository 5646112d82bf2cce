// REQUIRES: rustc
// A vector of zeros for each row: what it is filled with is a store of the new version, which has one block for all rows.
// RUN: env "POLYTILE=dump=ast" %rustc -O -C codegen-units=1 -C target-cpu=znver4 --crate-type=lib --emit=obj -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -O -C codegen-units=1 -C target-cpu=native -o %t.new %s
// RUN: rustc -O -C target-cpu=native -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
#[inline(never)]
pub fn rows(u: &mut [f64], n: usize, m: usize) {
    for i in 0..n {
        let row = &mut u[i * m..(i + 1) * m];
        let mut c = vec![0.0f64; m];
        let mut d = vec![0.0f64; m];
        c[0] = 0.2;
        d[0] = row[0];
        for j in 1..m {
            let q = 1.0 / (2.5 - 0.4 * c[j - 1]);
            c[j] = 0.4 * q;
            d[j] = (row[j] + 0.4 * d[j - 1]) * q;
        }
        row[m - 1] = d[m - 1];
        for j in (0..m - 1).rev() {
            row[j] = d[j] - c[j] * row[j + 1];
        }
    }
}

#[allow(dead_code)]
fn main() {
    for n in [1usize, 7, 32, 70] {
        let m = n + 3;
        let mut u: Vec<f64> = (0..n * m).map(|k| (k % 17) as f64 + 0.25).collect();
        rows(&mut u, n, m);
        let sum = u.iter().fold(0.0, |s, x| s * 0.99 + x);
        println!("{sum:.17e}");
    }
}
