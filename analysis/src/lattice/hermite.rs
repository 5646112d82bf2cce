//! Hermite's normal form of an integer matrix, by columns.
//!
//! ```text
//! M U = H       U unimodular; H in column echelon: positive pivots, entries left of a pivot in 0 .. pivot - 1, columns behind the rank 0
//!
//! [ 2 4 ] -> [ 2 0 ]     the points 2a + 4b are the multiples of 2
//! ```
//!
//! The columns of `H` in front of the rank are a basis of the lattice that the columns of `M` span; those of `U` behind it are a basis of
//! the integer kernel (Schrijver 1986, §4.1).

use super::{Matrix, add_column, identity, negate_column, swap_columns};

/// `M U = H`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hermite {
    /// `H`.
    pub form: Matrix,
    /// `U`.
    pub unimodular: Matrix,
    /// The row of each pivot; as many as the rank.
    pub pivots: Vec<usize>,
}

/// The form of a matrix; `None` where an entry does not fit.
pub fn hermite(m: &Matrix) -> Option<Hermite> {
    let columns = m.first().map_or(0, Vec::len);
    let mut h = Hermite {
        form: m.clone(),
        unimodular: identity(columns),
        pivots: vec![],
    };
    for row in 0..m.len() {
        let at = h.pivots.len();
        if at < columns && h.gather(row, at)? {
            h.reduce(row, at)?;
            h.pivots.push(row);
        }
    }
    Some(h)
}

impl Hermite {
    /// The rank.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The number of classes of integer points modulo the lattice, if its rank is full.
    pub fn index(&self) -> Option<i64> {
        let mut product = 1_i64;
        if self.rank() < self.form.len() {
            return None;
        }
        for (c, &r) in self.pivots.iter().enumerate() {
            product = product.checked_mul(self.form[r][c])?;
        }
        Some(product)
    }

    /// An integer `x` with `M x = b`, if there is one (and it fits).
    pub fn solve(&self, b: &[i64]) -> Option<Vec<i64>> {
        let mut rest = b.to_vec();
        let mut inner = vec![0_i64; self.unimodular.len()];
        for (c, &r) in self.pivots.iter().enumerate() {
            let pivot = self.form[r][c];
            if rest[r] % pivot != 0 {
                return None;
            }
            inner[c] = rest[r] / pivot;
            for (value, line) in rest.iter_mut().zip(&self.form) {
                *value = value.checked_sub(line[c].checked_mul(inner[c])?)?;
            }
        }
        if rest.iter().any(|v| *v != 0) {
            return None;
        }
        let times = |line: &Vec<i64>| {
            line.iter()
                .zip(&inner)
                .try_fold(0_i64, |sum, (a, x)| sum.checked_add(a.checked_mul(*x)?))
        };
        self.unimodular.iter().map(times).collect()
    }

    /// Makes column `at` the only one from there on that is not 0 in a row, and positive; says whether there is one.
    fn gather(&mut self, row: usize, at: usize) -> Option<bool> {
        let columns = self.unimodular.len();
        loop {
            let used = (at..columns).filter(|c| self.form[row][*c] != 0);
            let Some(least) = used.min_by_key(|c| self.form[row][*c].unsigned_abs()) else {
                return Some(false);
            };
            swap_columns(&mut self.form, at, least);
            swap_columns(&mut self.unimodular, at, least);
            if self.form[row][at] < 0 {
                negate_column(&mut self.form, at)?;
                negate_column(&mut self.unimodular, at)?;
            }
            for c in at + 1..columns {
                self.subtract(c, at, self.form[row][c].div_euclid(self.form[row][at]))?;
            }
            if (at + 1..columns).all(|c| self.form[row][c] == 0) {
                return Some(true);
            }
        }
    }

    /// Brings the entries left of a pivot between 0 and the pivot.
    fn reduce(&mut self, row: usize, at: usize) -> Option<()> {
        for c in 0..at {
            self.subtract(c, at, self.form[row][c].div_euclid(self.form[row][at]))?;
        }
        Some(())
    }

    fn subtract(&mut self, column: usize, of: usize, times: i64) -> Option<()> {
        let factor = times.checked_neg()?;
        add_column(&mut self.form, column, of, factor)?;
        add_column(&mut self.unimodular, column, of, factor)
    }
}
