// REQUIRES: rustc
// Longest common subsequences over rows behind pointers: each arm of a comparison looks up the rows that it needs and asks for their lengths, which the row that is written
// to is compared with behind both. Each way reads the same entries, so that they are known to be there.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=1 %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// CHECK: lengths-of-arms.rs:[[@LINE+3]]:{{[0-9]+}} polytile (success): loop nest transformed
#[inline(never)]
fn common(a: &[u8], b: &[u8], t: &mut [Vec<usize>]) -> usize {
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            t[i + 1][j + 1] = if x == y { t[i][j] + 1 } else { t[i][j + 1].max(t[i + 1][j]) };
        }
    }
    t[a.len()][b.len()]
}

fn letters(n: usize, by: usize) -> Vec<u8> {
    (0..n).map(|i| ((i * i + by * i) % 7) as u8).collect()
}

fn main() {
    for (n, m) in [(0, 0), (1, 0), (0, 3), (1, 1), (5, 9), (40, 31), (300, 290)] {
        let (a, b) = (letters(n, 1), letters(m, 3));
        let mut t = vec![vec![0; m + 1]; n + 1];
        println!("{}", common(&a, &b, &mut t));
        println!("{:?}", t[n]);
    }
    // A row is too short: the program ends with a message in the row in which it does without.
    let (a, b) = (letters(9, 1), letters(8, 3));
    let mut t = vec![vec![0; 9]; 10];
    t[6] = vec![0; 5];
    let mut rows = std::panic::AssertUnwindSafe(&mut t);
    std::panic::set_hook(Box::new(|_| {}));
    println!("{:?}", std::panic::catch_unwind(move || common(&a, &b, &mut rows)).is_err());
    println!("{t:?}");
}
