// REQUIRES: rustc
// Rows that know how long they are (`Vec<Vec<f64>>`): each access checks the length of its row. All rows of a table are taken to be as long as the first
// that is read, which is compared in front; the original runs where one is longer or shorter, and panics where it would. Where the
// rows lie does not matter: the last row of `vec![row; n]` lies in front of the others. A sum that is taken before an index turns out to be too large, and the freeing of rows
// on the way to a caller, are no ways out of a nest. A counter that is compared for equality with a length is below it.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -C panic=unwind -o %t.new %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=dump=scop" %rustc -O -C codegen-units=1 --emit=obj -o %t.o %s 2>&1 | FileCheck %s --check-prefix=SCOP
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
// SCOP: rows m{{[0-9]+}} {{.*}} step 3 pitch {{v[0-9]+}} element 8 length {{v[0-9]+}} behind 1 {{.*}}{ [
// CHECK-DAG: vec-of-vec.rs:[[@LINE+8]]:{{[0-9]+}} polytile (success): loop nest transformed: 2 statements
// CHECK-DAG: vec-of-vec.rs:[[@LINE+15]]:{{[0-9]+}} polytile (success): loop nest transformed
type Rows = Vec<Vec<f64>>;
#[inline(never)]
fn product(n: usize, m: usize, k: usize, a: &[Vec<f64>], b: &[Vec<f64>], c: &mut [Vec<f64>]) {
    for i in 0..n { for j in 0..m {
        let mut s = 0.0;
        for l in 0..k {
            s += a[i][l] * b[l][j];
        }
        c[i][j] = s;
    } }
}

#[inline(never)]
fn smoothed(steps: usize, n: usize, m: usize, a: &mut Rows, b: &mut Rows) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
            }
        }
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i - 1][j] + b[i + 1][j]);
            }
        }
    }
}

/// Rows at one distance, or in any order; the one at `odd` has `len` elements.
fn rows(n: usize, m: usize, turned: bool, odd: usize, len: usize) -> Rows {
    let mut all: Rows = (0..n).map(|_| Vec::with_capacity(m + 8)).collect();
    if turned {
        all.reverse();
    }
    for (i, row) in all.iter_mut().enumerate() {
        let len = if i == odd { len } else { m };
        row.extend((0..len).map(|j| ((i * 7 + j * 13) % 31) as f64 - 15.0));
    }
    all
}

fn say(what: &str, all: &Rows) {
    let bits = all.iter().flatten().fold(1u64, |h, x| h.rotate_left(5) ^ x.to_bits());
    println!("{what} {bits:x}");
}

fn main() {
    std::panic::set_hook(Box::new(|why| println!("{why}")));
    for n in [1, 2, 3, 20, 47] {
        for (odd, len) in [(n, 0), (0, n + 3), (0, n - 1), (n / 2, n - 1), (n - 1, n - 1), (n - 1, 0), (n - 1, n + 1)] {
            for turned in [false, true] {
                let (a, b) = (rows(n, n, turned, odd, len), rows(n, n, false, n, 0));
                let mut c = rows(n, n, turned, n, 0);
                for (a, b) in [(&a, &b), (&b, &a)] {
                    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| product(n, n, n, a, b, &mut c)));
                    say(if ended.is_ok() { "product" } else { "none" }, &c);
                }
                let mut d = rows(n, n, turned, odd, len);
                let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| product(n, n, n, &b, &b, &mut d)));
                say(if ended.is_ok() { "product" } else { "none" }, &d);
                if n > 1 {
                    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| smoothed(3, n, n, &mut c, &mut d)));
                    say(if ended.is_ok() { "smoothed" } else { "none" }, &c);
                    say("and", &d);
                }
                let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| product(n + 1, n, n, &a, &b, &mut c)));
                say(if ended.is_ok() { "more" } else { "none" }, &c);
            }
        }
    }
}
