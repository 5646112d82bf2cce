// REQUIRES: rustc
// A window of fixed size over `Vec<Vec<f64>>`: LLVM unrolls it, takes checks that stand still out of the loop, and leaves behind several blocks in a
// row in which checks fail one after the other. None of them is a way out of the nest.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -C panic=unwind -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// CHECK: static control part: 1 statement, 2 loops; argument {{[0-9]}} of {{.*}}filtered
// CHECK: polytile (success): loop nest transformed: 1 statement, 1 parallel loop, 1 vector loop
#[inline(never)]
fn filtered(n: usize, a: &[Vec<f64>], k: &[[f64; 3]; 3], b: &mut [Vec<f64>]) {
    for i in 0..n - 2 {
        for j in 0..n - 2 {
            let mut s = 0.0;
            for u in 0..3 {
                for v in 0..3 {
                    s += k[u][v] * a[i + u][j + v];
                }
            }
            b[i][j] = s;
        }
    }
}

fn main() {
    std::panic::set_hook(Box::new(|why| println!("{why}")));
    let k = [[0.1, 0.2, 0.1], [0.3, -0.5, 0.3], [0.1, 0.7, 0.1]];
    for n in [3, 4, 20, 100] {
        for (rows, short, len) in [(n, n, 0), (n - 1, n, 0), (n, n - 1, n - 1), (n, n / 2, n - 1), (n, n - 2, 0)] {
            let mut a = vec![vec![0.0; n]; rows];
            for (i, row) in a.iter_mut().enumerate() {
                row.iter_mut().enumerate().for_each(|(j, x)| *x = ((i * 7 + j * 3) % 11) as f64 - 5.0);
                if i == short {
                    row.truncate(len);
                }
            }
            let mut b = vec![vec![0.0; n]; n];
            let run = std::panic::AssertUnwindSafe(|| filtered(n, &a, &k, &mut b));
            let ended = std::panic::catch_unwind(run);
            let bits = b.iter().flatten().fold(1u64, |h, x| h.rotate_left(5) ^ x.to_bits());
            println!("{} {bits:x}", ended.is_ok());
        }
    }
}
