// REQUIRES: rustc
// Ranges up to and including a constant: LLVM knows that the counter is never beyond it, and asks whether it is there. It has no count of such a loop and makes no
// vectors of it.
// RUN: %rustc -O -C target-cpu=x86-64-v3 -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// CHECK-DAG: inclusive-constant.rs:[[@LINE+4]]:{{[0-9]+}} polytile (success): loop nest transformed
// CHECK-DAG: inclusive-constant.rs:[[@LINE+12]]:{{[0-9]+}} polytile (success): loop nest transformed
#[inline(never)]
fn smoothed(a: &[f64], b: &mut [f64]) {
    for i in 1..=98 {
        for j in 1..=98 {
            b[i * 100 + j] = 0.5 * a[i * 100 + j] + 0.25 * (a[(i - 1) * 100 + j] + a[(i + 1) * 100 + j]);
        }
    }
}

#[inline(never)]
fn best(t: &mut [u8], w: &[u8]) {
    for i in 1..=99 {
        for c in 1..=6000 {
            t[i * 6001 + c] = (t[(i - 1) * 6001 + c] ^ t[(i - 1) * 6001 + c - 1]).wrapping_add(w[i]);
        }
    }
}

// A range that begins behind its end is empty; one of signed numbers.
#[inline(never)]
fn some(from: usize, to: i32, a: &mut [[i32; 40]; 41]) {
    for i in from..=20 {
        for j in -to..=7 {
            a[i][(j + 20) as usize] += i as i32 + j;
        }
    }
}

fn main() {
    let a: Vec<f64> = (0..10000).map(|i| (i % 7) as f64).collect();
    let mut b = a.clone();
    smoothed(&a, &mut b);
    println!("{b:?}");
    let w: Vec<u8> = (0..100).map(|i| i * 2 % 13).collect();
    let mut t = vec![1u8; 600100];
    best(&mut t, &w);
    println!("{:?}", &t[594099..]);
    for from in [0, 5, 20, 21, 30] {
        for to in [-8, -7, 0, 20] {
            let mut c = [[1; 40]; 41];
            some(from, to, &mut c);
            println!("{c:?}");
        }
    }
}
