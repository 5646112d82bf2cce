// REQUIRES: rustc
// Rows that are made one by one, with a check of each allocation, then a product in the same function: the number of rows is what
// the counter had reached, and a size of the product (`matmul` is inlined).
// RUN: env POLYTILE=verify=on %rustc -C opt-level=3 -C target-cpu=znver4 -C debuginfo=1 -C remark=polytile -C codegen-units=1 --emit=obj -o %t.o %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -C opt-level=3 -C target-cpu=native -C codegen-units=1 -o %t.new %s
// RUN: rustc -C opt-level=3 -C target-cpu=native -C codegen-units=1 -o %t.plain %s && %t.plain 37 > %t.expected
// RUN: %t.new 37 | cmp - %t.expected

// CHECK: {{.*}}counter-behind-loop.rs:[[#@LINE+4]]:{{[0-9]+}} polytile (success): loop nest transformed: 1 statement, {{.*}}register tile
fn matmul(a: &Vec<Vec<f64>>, b: &Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let (n, m, p) = (a.len(), b[0].len(), b.len());
    let mut c = vec![vec![0.0; m]; n];
    for i in 0..n { for j in 0..m { for k in 0..p { c[i][j] += a[i][k] * b[k][j]; } } }
    c
}

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(60);
    let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| ((i * 7 + j * 3) as f64 * 0.1).sin()).collect()).collect();
    for row in matmul(&a, &a) {
        println!("{:?}", row);
    }
}
