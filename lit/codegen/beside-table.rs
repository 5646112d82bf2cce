// REQUIRES: rustc
// A nest that fills in the first row of a table, whose pointer is loaded in front, and one that goes on from there are no region together: that row is never apart from the
// rows of the table. Each by itself is one, and runs.
// RUN: env POLYTILE=min-work=0 %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -o %t.new %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.new 2>%t.told | cmp - %t.expected
// RUN: FileCheck %s --input-file=%t.told --implicit-check-not="not apart"
// CHECK: new version 1
#[inline(never)]
fn distances(a: &[u8], b: &[u8]) -> Vec<Vec<usize>> {
    let (n, m) = (a.len(), b.len());
    let mut d = vec![vec![0usize; m + 1]; n + 1];
    for i in 0..=n { d[i][0] = i; }
    for j in 0..=m { d[0][j] = j; }
    for i in 1..=n { for j in 1..=m {
        let cost = if a[i - 1] == b[j - 1] { 0 } else { 1 };
        d[i][j] = (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + cost);
    } }
    d
}

fn main() {
    let a: Vec<u8> = (0..300).map(|i| (i * i % 3) as u8).collect();
    let b: Vec<u8> = (0..200).map(|i| (i * 5 % 3) as u8).collect();
    println!("{:?}", distances(&a, &b));
}
