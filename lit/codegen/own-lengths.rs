// REQUIRES: rustc
// Matrices that each have a length of rows of their own, with checks of all indices: a check has that length as a factor of a counter, as a condition has the step of a
// window that is known at run time only. Such a step is taken for one; a length is not.
// RUN: env POLYTILE=min-work=0 %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -o %t.new %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.new 2>%t.told | cmp - %t.expected
// RUN: FileCheck %s --input-file=%t.told --implicit-check-not="original 1"
// CHECK: new version 1
struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}
#[inline(never)]
fn product(x: &Matrix, w: &Matrix, y: &mut Matrix) {
    for i in 0..x.rows {
        for j in 0..w.columns {
            for k in 0..x.columns {
                y.data[i * y.columns + j] += x.data[i * x.columns + k] * w.data[k * w.columns + j];
            }
        }
    }
}
fn matrix(rows: usize, columns: usize) -> Matrix {
    let data = (0..rows * columns).map(|k| (k % 17) as f64 * 0.3).collect();
    Matrix { rows, columns, data }
}
fn main() {
    let (x, w, mut y) = (matrix(30, 41), matrix(41, 52), matrix(30, 53));
    product(&x, &w, &mut y);
    println!("{}", y.data.iter().enumerate().map(|(i, v)| i as f64 * v).sum::<f64>());
}
