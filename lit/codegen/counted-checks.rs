// REQUIRES: rustc
// Three loops of a row, of which the compiler makes vectors although they check indices: it knows when the checks fail. One loop of all three has none, and gains by
// threads only; it was entered on one thread, too, and took 1.7 times as long.
// RUN: %rustc -O -C codegen-units=1 -C target-cpu=native -o %t.new %s
// RUN: rustc -O -C target-cpu=native -o %t.plain %s && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.new 2> %t.told | cmp - %t.expected
// RUN: FileCheck %s < %t.told
// CHECK: median: new version 0 {{.*}}gains by threads only
#[inline(never)]
pub fn median(u: &mut [f64], n: usize, m: usize) {
    for i in 0..n {
        let mut t = vec![0.0f64; m];
        for j in 1..m - 1 {
            let (a, b, c) = (u[i * m + j - 1], u[i * m + j], u[i * m + j + 1]);
            t[j] = a.max(b).min(a.min(b).max(c));
        }
        for j in 1..m - 1 {
            u[i * m + j] = t[j];
        }
    }
}

fn main() {
    let (n, m) = (1100, 1100);
    let mut u: Vec<f64> = (0..n * m).map(|k| (k * 31 % 101) as f64).collect();
    median(&mut u, n, m);
    println!("{:e}", u.iter().fold(0.0, |s, x| s * 0.99 + x));
}
