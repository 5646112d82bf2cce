//! Factors of matrices with a small matrix type: QR by Householder, LU, eigenvalues by Jacobi's rotations, products that check them.
//! Arguments: order. In tests: 13

use std::ops::{Index, IndexMut};

#[derive(Clone)]
struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.values[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.values[i * self.columns + j]
    }
}

impl Matrix {
    fn zero(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![0.0; rows * columns],
        }
    }

    fn identity(n: usize) -> Self {
        let mut m = Self::zero(n, n);
        for i in 0..n {
            m[(i, i)] = 1.0;
        }
        m
    }

    fn from_fn(rows: usize, columns: usize, f: impl Fn(usize, usize) -> f64) -> Self {
        let mut m = Self::zero(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                m[(i, j)] = f(i, j);
            }
        }
        m
    }

    fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    fn multiply(&self, other: &Self) -> Self {
        assert_eq!(self.columns, other.rows);
        let mut product = Self::zero(self.rows, other.columns);
        for i in 0..self.rows {
            for j in 0..other.columns {
                let mut sum = 0.0;
                for k in 0..self.columns {
                    sum += self[(i, k)] * other[(k, j)];
                }
                product[(i, j)] = sum;
            }
        }
        product
    }

    fn distance(&self, other: &Self) -> f64 {
        let squares = self.values.iter().zip(&other.values).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>().sqrt()
    }
}

/// Q and R with A = Q R.
fn householder(a: &Matrix) -> (Matrix, Matrix) {
    let (m, n) = (a.rows, a.columns);
    let mut r = a.clone();
    let mut q = Matrix::identity(m);
    let mut v = vec![0.0; m];
    for k in 0..n.min(m - 1) {
        let norm = (k..m).map(|i| r[(i, k)] * r[(i, k)]).sum::<f64>().sqrt();
        if norm == 0.0 {
            continue;
        }
        for i in k..m {
            v[i] = r[(i, k)];
        }
        v[k] += norm.copysign(v[k]);
        let length: f64 = v[k..].iter().map(|x| x * x).sum();
        for j in k..n {
            let mut dot = 0.0;
            for i in k..m {
                dot += v[i] * r[(i, j)];
            }
            let scale = 2.0 * dot / length;
            for i in k..m {
                r[(i, j)] -= scale * v[i];
            }
        }
        for i in 0..m {
            let mut dot = 0.0;
            for j in k..m {
                dot += q[(i, j)] * v[j];
            }
            let scale = 2.0 * dot / length;
            for j in k..m {
                q[(i, j)] -= scale * v[j];
            }
        }
    }
    (q, r)
}

/// L and U in one matrix, with the order of the rows.
fn lu(a: &Matrix) -> (Matrix, Vec<usize>) {
    let n = a.rows;
    let mut f = a.clone();
    let mut order: Vec<usize> = (0..n).collect();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if f[(i, k)].abs() > f[(pivot, k)].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            order.swap(k, pivot);
            for j in 0..n {
                f.values.swap(k * n + j, pivot * n + j);
            }
        }
        for i in k + 1..n {
            let factor = f[(i, k)] / f[(k, k)];
            f[(i, k)] = factor;
            for j in k + 1..n {
                let above = f[(k, j)];
                f[(i, j)] -= factor * above;
            }
        }
    }
    (f, order)
}

/// Cyclic rotations; the eigenvalues are left on the diagonal.
fn jacobi(a: &mut Matrix, sweeps: usize) {
    let n = a.rows;
    for _ in 0..sweeps {
        for p in 0..n {
            for q in p + 1..n {
                if a[(p, q)].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[(q, q)] - a[(p, p)]) / (2.0 * a[(p, q)]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[(k, p)], a[(k, q)]);
                    a[(k, p)] = c * x - s * y;
                    a[(k, q)] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (a[(p, k)], a[(q, k)]);
                    a[(p, k)] = c * x - s * y;
                    a[(q, k)] = s * x + c * y;
                }
            }
        }
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).map_or(300, |a| a.parse().expect("a number"));
    let a = Matrix::from_fn(n + n / 4, n, |i, j| ((i * 7 + j * 11 + i * j) % 29) as f64 / 29.0 - 0.4);
    let (q, r) = householder(&a);
    println!("QR {:e} Q {:e}", q.multiply(&r).distance(&a), q.transpose().multiply(&q).distance(&Matrix::identity(q.rows)));
    let mut normal = a.transpose().multiply(&a);
    for i in 0..n {
        normal[(i, i)] += 1.0;
    }
    let (f, order) = lu(&normal);
    let lower = Matrix::from_fn(n, n, |i, j| if i == j { 1.0 } else if j < i { f[(i, j)] } else { 0.0 });
    let upper = Matrix::from_fn(n, n, |i, j| if j >= i { f[(i, j)] } else { 0.0 });
    let permuted = Matrix::from_fn(n, n, |i, j| normal[(order[i], j)]);
    println!("LU {:e}", lower.multiply(&upper).distance(&permuted));
    jacobi(&mut normal, 4);
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for i in 0..n {
        least = least.min(normal[(i, i)]);
        most = most.max(normal[(i, i)]);
    }
    println!("eigenvalues {least:e} to {most:e}");
}
