//! Smith's normal form of an integer matrix.
//!
//! ```text
//! P M Q = D     P and Q unimodular; D diagonal, not negative, each entry a divisor of the next one
//!
//! [ 1 1; 1 -1 ] -> diag(1, 2)     one class more of points than of sums and differences: i + j and i - j are both odd or both even
//! ```
//!
//! Entries of `D` other than 1 are the strides that occur in the basis `Q` (Ancourt and Irigoin 1991, §3.1; P7).

use super::{Matrix, add_column, add_row, identity, swap_columns};

/// `P M Q = D`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smith {
    /// `P`.
    pub left: Matrix,
    /// `D`, of the shape of `M`.
    pub form: Matrix,
    /// `Q`.
    pub right: Matrix,
}

/// The form of a matrix; `None` where an entry does not fit.
pub fn smith(m: &Matrix) -> Option<Smith> {
    let columns = m.first().map_or(0, Vec::len);
    let mut s = Smith {
        left: identity(m.len()),
        form: m.clone(),
        right: identity(columns),
    };
    for k in 0..m.len().min(columns) {
        while s.bring(k) {
            if s.clear(k)? && s.divides(k)? {
                break;
            }
        }
        if s.form[k][k] < 0 {
            s.negate_row(k)?;
        }
    }
    Some(s)
}

impl Smith {
    /// The diagonal of `D`.
    pub fn diagonal(&self) -> Vec<i64> {
        let n = self.form.len().min(self.right.len());
        (0..n).map(|k| self.form[k][k]).collect()
    }

    /// The smallest entry of what is left to place `k`; says whether there is any.
    fn bring(&mut self, k: usize) -> bool {
        let places = (k..self.form.len()).flat_map(|r| (k..self.right.len()).map(move |c| (r, c)));
        let used = places.filter(|(r, c)| self.form[*r][*c] != 0);
        let Some((r, c)) = used.min_by_key(|(r, c)| self.form[*r][*c].unsigned_abs()) else {
            return false;
        };
        self.form.swap(k, r);
        self.left.swap(k, r);
        swap_columns(&mut self.form, k, c);
        swap_columns(&mut self.right, k, c);
        true
    }

    /// Subtracts multiples of row and column `k` from the others; says whether their entries there are 0 now.
    fn clear(&mut self, k: usize) -> Option<bool> {
        let pivot = self.form[k][k];
        for r in k + 1..self.form.len() {
            let factor = (self.form[r][k] / pivot).checked_neg()?;
            add_row(&mut self.form, r, k, factor)?;
            add_row(&mut self.left, r, k, factor)?;
        }
        for c in k + 1..self.right.len() {
            let factor = (self.form[k][c] / pivot).checked_neg()?;
            add_column(&mut self.form, c, k, factor)?;
            add_column(&mut self.right, c, k, factor)?;
        }
        let rows = (k + 1..self.form.len()).all(|r| self.form[r][k] == 0);
        Some(rows && (k + 1..self.right.len()).all(|c| self.form[k][c] == 0))
    }

    /// Whether the pivot divides everything that is left; else brings a remainder into its row.
    fn divides(&mut self, k: usize) -> Option<bool> {
        let pivot = self.form[k][k];
        let bad = (k + 1..self.form.len())
            .find(|r| self.form[*r][k + 1..].iter().any(|v| v % pivot != 0));
        let Some(bad) = bad else {
            return Some(true);
        };
        add_row(&mut self.form, k, bad, 1)?;
        add_row(&mut self.left, k, bad, 1)?;
        Some(false)
    }

    fn negate_row(&mut self, k: usize) -> Option<()> {
        for value in self.form[k].iter_mut().chain(&mut self.left[k]) {
            *value = value.checked_neg()?;
        }
        Some(())
    }
}
