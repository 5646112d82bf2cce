// REQUIRES: rustc
// Lengths of rows as bounds of loops: one value each for all rows of a table, which is compared in front. Where rows differ the original runs. A small window
// is not judged by one as wide as the image.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -C panic=unwind -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected 2> /dev/null
// RUN: %t.new 2> /dev/null | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=3 %t.forced 2> /dev/null | cmp - %t.expected
// CHECK-DAG: lengths-as-bounds.rs:[[@LINE+6]]:{{[0-9]+}} polytile (success): loop nest transformed: {{.*}} register tile
// CHECK-DAG: lengths-as-bounds.rs:[[@LINE+17]]:{{[0-9]+}} polytile (success): loop nest transformed: 2 statements
type Matrix = Vec<Vec<f64>>;

#[inline(never)]
fn product(a: &Matrix, b: &Matrix, c: &mut Matrix) {
    for i in 0..a.len() {
        for k in 0..a[i].len() {
            for j in 0..b[k].len() {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

#[inline(never)]
fn window(a: &Matrix, k: &Matrix, o: &mut Matrix) {
    for i in 0..a.len() - 4 {
        for j in 0..a[0].len() - 4 {
            let mut s = 0.0;
            for p in 0..k.len() {
                for q in 0..k[p].len() {
                    s += k[p][q] * a[i + p][j + q];
                }
            }
            o[i][j] = s;
        }
    }
}

fn matrix(n: usize, m: usize, f: usize) -> Matrix {
    (0..n).map(|i| (0..m).map(|j| (i * f + j * 3) as f64 % 7.0).collect()).collect()
}

fn told(m: &Matrix) {
    let sum = |r: &Vec<f64>| r.iter().enumerate().map(|(j, x)| x * (j + 1) as f64).sum::<f64>();
    println!("{}", m.iter().map(sum).sum::<f64>());
}

fn main() {
    let (a, b, mut c) = (matrix(30, 41, 5), matrix(41, 23, 2), matrix(30, 23, 0));
    product(&a, &b, &mut c);
    told(&c);
    // Rows of several lengths, of none, and one that is too long.
    let mut short = a.clone();
    short[7].truncate(9);
    short[9].clear();
    product(&short, &b, &mut c);
    told(&c);
    let mut ragged = b.clone();
    ragged[3].truncate(5);
    product(&a, &ragged, &mut c);
    told(&c);
    let mut long = a.clone();
    long[12].push(1.0);
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| product(&long, &b, &mut c)));
    println!("{}", ended.is_err());
    told(&c);
    product(&vec![vec![]; 30], &b, &mut c);
    told(&c);
    let (k, mut o) = (matrix(5, 4, 3), matrix(30, 41, 0));
    window(&a, &k, &mut o);
    told(&o);
    let mut odd = k.clone();
    odd[2].pop();
    window(&a, &odd, &mut o);
    told(&o);
    window(&a, &vec![], &mut o);
    told(&o);
}
