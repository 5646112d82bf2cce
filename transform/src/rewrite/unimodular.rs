//! A unimodular change of a nest: its rows become integer combinations of its rows.
//!
//! ```text
//! unimodular [0] [1,1; 1,0]       for i: for j: S         rows (i, j) become (i + j, i): wavefronts
//! ```
//!
//! The matrix multiplies rows from the left. Interchange, reversal and skewing inside a nest are special cases; an
//! integer inverse (determinant 1 or -1) keeps the loops without gaps. The inverse matrix is the inverse step.

use super::surgery::{around, edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::tree::Tree;
use std::fmt;

/// Multiplies the rows of a nest by a matrix.
#[derive(Clone, Debug)]
pub struct Unimodular {
    /// The outermost loop.
    pub at: Address,
    /// One line per new row.
    pub matrix: Vec<Vec<i64>>,
}

impl Step for Unimodular {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let n = self.matrix.len();
        if self.matrix.iter().any(|line| line.len() != n) || n == 0 {
            return Err(Structure::Singular("the matrix is not square".into()).into());
        }
        if inverse(&self.matrix).is_none() {
            return Err(Structure::Singular(
                "the matrix has no integer inverse: its determinant must be 1 or -1".into(),
            )
            .into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, _| {
            self.change(tree, n)
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        let back = Unimodular {
            at: self.at.clone(),
            matrix: inverse(&self.matrix)?,
        };
        Some(vec![Box::new(back)])
    }
}

impl Unimodular {
    fn change(&self, tree: &Tree, n: usize) -> Applied<Tree> {
        let (loops, child) = nest(tree, n, &self.at)?;
        if loops.iter().any(|l| l.tile.is_some()) {
            return Err(Structure::Decided(format!("{} holds loops over tiles", self.at)).into());
        }
        let mut new = loops.clone();
        for (l, line) in new.iter_mut().zip(&self.matrix) {
            let mut sum = loops[0].row.scale_si(line[0])?;
            for (old, c) in loops.iter().zip(line).skip(1) {
                sum = sum.add(&old.row.scale_si(*c)?)?;
            }
            l.row = sum;
        }
        around(&new, child)
    }
}

/// The integer inverse of a small matrix, by cofactors.
fn inverse(m: &[Vec<i64>]) -> Option<Vec<Vec<i64>>> {
    let det = determinant(m)?;
    if det.abs() != 1 {
        return None;
    }
    let n = m.len();
    let mut inverse = vec![vec![0; n]; n];
    for (i, line) in inverse.iter_mut().enumerate() {
        for (j, entry) in line.iter_mut().enumerate() {
            let sign = if (i + j) % 2 == 0 { 1 } else { -1 };
            *entry = determinant(&minor(m, j, i))?.checked_mul(sign * det)?;
        }
    }
    Some(inverse)
}

fn minor(m: &[Vec<i64>], row: usize, column: usize) -> Vec<Vec<i64>> {
    let keep = |line: &Vec<i64>| {
        let kept = line.iter().enumerate().filter(|(j, _)| *j != column);
        kept.map(|(_, v)| *v).collect()
    };
    let lines = m.iter().enumerate().filter(|(i, _)| *i != row);
    lines.map(|(_, line)| keep(line)).collect()
}

fn determinant(m: &[Vec<i64>]) -> Option<i64> {
    let Some(first) = m.first() else {
        return Some(1);
    };
    let mut sum = 0i64;
    for (j, v) in first.iter().enumerate() {
        let sign = if j % 2 == 0 { 1 } else { -1 };
        let part = determinant(&minor(m, 0, j))?.checked_mul(*v)?;
        sum = sum.checked_add(part.checked_mul(sign)?)?;
    }
    Some(sum)
}

impl fmt::Display for Unimodular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |l: &Vec<i64>| {
            let entries: Vec<String> = l.iter().map(i64::to_string).collect();
            entries.join(",")
        };
        let lines: Vec<String> = self.matrix.iter().map(line).collect();
        write!(f, "unimodular {} [{}]", self.at, lines.join("; "))
    }
}
