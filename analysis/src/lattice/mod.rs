//! Lattices of integers, and tilings by them (Ancourt and Irigoin 1991, §3.1).
//!
//! A tiling is a lattice of origins and one shape (P6), or families of parallel hyperplanes (P7). Both are decided by the two normal
//! forms of integer matrices: Hermite's says which points a lattice has, Smith's how many classes it leaves.
//!
//! | file | subject |
//! |---|---|
//! | [`hermite`] | `M U = H`, columns in echelon: bases, integer solutions of `M x = b`, index of a lattice |
//! | [`smith`] | `P M Q = D`, diagonal: the group of points modulo a lattice |
//! | [`hyperplanes`] | `t = floor(H i)`: whether all tiles are translates of one |
//! | [`prototile`] | origins `M t` and a shape: whether the translates cover each point once |
//!
//! A [`Matrix`] is a list of rows. Everything is exact: a result that does not fit 64 bits is `None`.

pub mod hermite;
pub mod hyperplanes;
pub mod prototile;
pub mod smith;

pub use hermite::{Hermite, hermite};
pub use hyperplanes::Hyperplanes;
pub use prototile::{Cover, Prototile};
pub use smith::{Smith, smith};

/// Rows of integers, all of one length.
pub type Matrix = Vec<Vec<i64>>;

/// The identity.
pub fn identity(n: usize) -> Matrix {
    let row = |i| (0..n).map(|j| i64::from(i == j)).collect();
    (0..n).map(row).collect()
}

/// The product of two matrices; `None` if an entry does not fit.
pub fn product(a: &Matrix, b: &Matrix) -> Option<Matrix> {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<i64>, c: usize| {
        row.iter().zip(b).try_fold(0_i64, |sum, (x, line)| {
            sum.checked_add(x.checked_mul(line[c])?)
        })
    };
    a.iter()
        .map(|row| (0..columns).map(|c| entry(row, c)).collect())
        .collect()
}

/// The column of a matrix.
pub fn column(m: &Matrix, c: usize) -> Vec<i64> {
    m.iter().map(|row| row[c]).collect()
}

/// Adds a multiple of one column to another.
fn add_column(m: &mut Matrix, to: usize, from: usize, factor: i64) -> Option<()> {
    for row in m {
        row[to] = row[to].checked_add(row[from].checked_mul(factor)?)?;
    }
    Some(())
}

/// Adds a multiple of one row to another.
fn add_row(m: &mut Matrix, to: usize, from: usize, factor: i64) -> Option<()> {
    for c in 0..m[to].len() {
        m[to][c] = m[to][c].checked_add(m[from][c].checked_mul(factor)?)?;
    }
    Some(())
}

fn swap_columns(m: &mut Matrix, a: usize, b: usize) {
    m.iter_mut().for_each(|row| row.swap(a, b));
}

fn negate_column(m: &mut Matrix, c: usize) -> Option<()> {
    for row in m {
        row[c] = row[c].checked_neg()?;
    }
    Some(())
}

#[cfg(test)]
mod tests;
