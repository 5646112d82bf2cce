// REQUIRES: rustc
// Vectors of vectors of vectors: the lengths of all vectors at one level are taken for one value each, which is compared in front; those of the
// outer vectors before the inner ones are looked at. Where one is shorter, the original panics where it does without the plugin.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -C panic=unwind -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected 2> /dev/null
// RUN: %t.new 2> /dev/null | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=3 %t.forced 2> /dev/null | cmp - %t.expected
// CHECK-DAG: tables-of-tables.rs:[[@LINE+6]]:{{[0-9]+}} polytile (success): loop nest transformed
// CHECK-DAG: tables-of-tables.rs:[[@LINE+16]]:{{[0-9]+}} polytile (success): loop nest transformed: {{.*}} register tile
type Cube = Vec<Vec<Vec<f64>>>;

#[inline(never)]
fn smooth(n: usize, a: &Cube, b: &mut Cube) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            for k in 1..n - 1 {
                b[i][j][k] = 0.5 * a[i][j][k] + 0.1 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j][k + 1]);
            }
        }
    }
}

#[inline(never)]
fn products(n: usize, a: &Cube, b: &Cube, c: &mut Cube) {
    for q in 0..n {
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    c[q][i][j] += a[q][i][k] * b[q][k][j];
                }
            }
        }
    }
}

fn made(n: usize) -> Cube {
    let at = |i, j, k| ((i * 7 + j * 3 + k) % 11) as f64 * 0.25;
    let row = |i, j| (0..n).map(move |k| at(i, j, k)).collect();
    (0..n).map(|i| (0..n).map(|j| row(i, j)).collect()).collect()
}

fn show(a: &Cube) {
    let all = a.iter().flatten().flatten();
    println!("{:x}", all.fold(0.0f64, |sum, x| sum * 0.75 + x).to_bits());
}

fn main() {
    for n in [3, 17, 40] {
        let (a, mut b, mut c) = (made(n), made(n), made(n));
        smooth(n, &a, &mut b);
        show(&b);
        products(n, &a, &b, &mut c);
        show(&c);
        // A row that is an element too short, of what is written and of what is read.
        b[1][1].pop();
        let ends = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| smooth(n, &a, &mut b)));
        show(&b);
        let reads = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| products(n, &a, &b, &mut c)));
        show(&c);
        // A table that has a row less.
        c[n / 2].pop();
        let lacks = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| products(n, &a, &a, &mut c)));
        show(&c);
        println!("{} {} {}", ends.is_err(), reads.is_err(), lacks.is_err());
    }
}
