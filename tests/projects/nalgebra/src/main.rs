//! Products and factorizations; prints sums with all digits.
use nalgebra::{DMatrix, DVector, Matrix4, Vector4};

fn print(what: &str, value: f64) {
    println!("{what} {value:?}");
}

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(20);
    let value = |i: usize, j: usize, by: usize| ((i * 7 + j * by) % 31) as f64 / 31.0 + if i == j { n as f64 } else { 0.0 };
    let a = DMatrix::from_fn(n, n, |i, j| value(i, j, 13));
    let b = DMatrix::from_fn(n, n, |i, j| value(i, j, 5));
    let x = DVector::from_fn(n, |i, _| i as f64 / n as f64);
    print("product", (&a * &b).sum());
    print("transposed", a.tr_mul(&b).sum());
    print("componentwise", a.component_mul(&b).map(f64::sqrt).sum());
    print("lu", a.clone().lu().solve(&x).unwrap().sum());
    print("qr", a.clone().qr().solve(&x).unwrap().sum());
    print("cholesky", (&a * a.transpose()).cholesky().unwrap().solve(&x).sum());
    print("inverse", b.clone().try_inverse().unwrap().sum());
    print("eigenvalues", (&a + a.transpose()).symmetric_eigenvalues().sum());
    print("singular", b.clone().singular_values().sum());
    let mut c = DMatrix::<f64>::zeros(n, n);
    for j in 0..n {
        for k in 0..n {
            for i in 0..n {
                c[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
    print("loops", c.sum());
    let turn = Matrix4::new(0.8, 0.1, 0.0, 0.1, 0.2, 0.7, 0.1, 0.0, 0.0, 0.2, 0.8, 0.0, 0.1, 0.0, 0.1, 0.8);
    let mut v = Vector4::new(1.0, 2.0, 3.0, 4.0);
    for _ in 0..n * 20_000 {
        v = turn * v + Vector4::new(0.1, 0.0, -0.1, 0.05);
    }
    print("small", v.sum());
}
