// REQUIRES: rustc
// Rows of vectors whose lengths bound the loops: one length for the table, which is compared with all of them in front; the pointers to the tables are read in front of
// the region, not in it. Where a length differs the original runs, and ends where it would.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -C target-cpu=native -C remark=all -g -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -C target-cpu=native -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// CHECK: lengths.rs:[[@LINE+3]]:14 polytile (success): loop nest transformed
#[inline(never)]
pub fn heat(a: &Vec<Vec<f64>>, b: &mut Vec<Vec<f64>>) {
    for i in 1..a.len() - 1 {
        for j in 1..a[i].len() - 1 {
            b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        }
    }
}

fn show(name: &str, b: &[Vec<f64>]) {
    let sum = b.iter().flatten().fold(0.0, |s, x| s * 0.99 + x);
    println!("{name} {sum:.17e}");
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    for n in [3usize, 4, 9, 40] {
        for change in 0..3 {
            let len = |i: usize| n + if i == n / 2 { change } else { 0 };
            let row = |i: usize| (0..len(i)).map(|j| ((i * 7 + j * 3) % 11) as f64).collect();
            let a: Vec<Vec<f64>> = (0..n).map(row).collect();
            let mut b = vec![vec![0.0; n + 1]; n];
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| heat(&a, &mut b)));
            show(if done.is_ok() { "done" } else { "ended" }, &b);
        }
    }
}
