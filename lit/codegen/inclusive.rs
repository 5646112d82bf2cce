// REQUIRES: rustc
// Ranges that include their end: the counter stands still in the last iteration, so that the end may be the largest number. Where the loop goes on it does not.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// CHECK-DAG: inclusive.rs:[[@LINE+6]]:{{[0-9]+}} polytile (success): loop nest transformed
// CHECK-DAG: inclusive.rs:[[@LINE+13]]:{{[0-9]+}} polytile (success): loop nest transformed
// CHECK-DAG: inclusive.rs:[[@LINE+21]]:{{[0-9]+}} polytile (success): loop nest transformed
#[inline(never)]
fn distances(a: &[u8], b: &[u8], d: &mut Vec<Vec<usize>>) {
    let (n, m) = (a.len(), b.len());
    for i in 1..=n { for j in 1..=m {
        let cost = if a[i - 1] == b[j - 1] { 0 } else { 1 };
        d[i][j] = (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + cost);
    } }
}

#[inline(never)]
fn smoothed(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
    for i in 1..=n {
        for j in 1..=m {
            b[i * (m + 2) + j] = 0.5 * a[i * (m + 2) + j] + 0.25 * (a[(i - 1) * (m + 2) + j] + a[(i + 1) * (m + 2) + j]);
        }
    }
}

#[inline(never)]
fn shifted(n: i32, m: i32, a: &mut [[f64; 64]]) {
    for i in -n..=n {
        for j in -m..=m {
            a[(i + n) as usize][(j + m) as usize] += (i + 2 * j) as f64;
        }
    }
}

// Where the end is the largest number, the loop ends.
#[inline(never)]
fn last(from: u8, a: &mut [[f32; 3]; 256]) {
    for i in from..=255 {
        for j in 0..=2 {
            a[i as usize][j] += i as f32;
        }
    }
}

fn main() {
    for (n, m) in [(0, 0), (1, 1), (1, 4), (5, 3), (30, 31), (31, 17)] {
        let a: Vec<u8> = (0..n).map(|i| (i * i % 3) as u8).collect();
        let b: Vec<u8> = (0..m).map(|i| (i * 5 % 3) as u8).collect();
        let mut d = vec![vec![0; m + 1]; n + 1];
        for i in 0..=n { d[i][0] = i; }
        for j in 0..=m { d[0][j] = j; }
        distances(&a, &b, &mut d);
        println!("{d:?}");
        let s: Vec<f64> = (0..(n + 2) * (m + 2)).map(|i| (i % 7) as f64).collect();
        let mut t = s.clone();
        smoothed(n, m, &s, &mut t);
        println!("{t:?}");
        let mut g = vec![[1.0; 64]; 63];
        shifted(n as i32, m as i32, &mut g);
        println!("{g:?}");
        let mut l = [[0.5; 3]; 256];
        last(255 - n as u8, &mut l);
        println!("{l:?}");
    }
}
