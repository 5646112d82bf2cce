//! Tilings by families of parallel hyperplanes: `t = floor(H i)` (Ancourt and Irigoin 1991, §3.1).
//!
//! Row `k` of `H` is `normals[k] / spacings[k]`. All tiles are translates of one exactly if for each family there is an integer vector from
//! one hyperplane to the next that stays in all others, `normals K = diag(spacings)` with an integer `K`; for a square `H` that says that
//! `H^-1` is integer. Then `K t` are the origins. Otherwise there are several shapes, and "a full tile has constant trip counts" is
//! false of them:
//!
//! ```text
//! (i + j) / 4, (i - j) / 4      K = [2 2; 2 -2]: 8 points each
//! (i + j) / 3, (i - j) / 3      no K: 5 or 4 points
//! (i + j) / 1, (i - j) / 1      no K: half of the tiles are empty
//! (2i + j) / 4, (i - j) / 3     no K: 4 points each, in three shapes
//! ```

use super::{Matrix, column, hermite};
use crate::poly::{self, Ctx, Map};

/// A tiling `t_k = floor(normals[k] . i / spacings[k])`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hyperplanes {
    /// A vector per family.
    pub normals: Matrix,
    /// The distance of its hyperplanes, at least 1.
    pub spacings: Vec<i64>,
}

/// What is wrong with families of hyperplanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// One follows from the others.
    Dependent,
    /// A number does not fit.
    Large,
}

impl Hyperplanes {
    /// `K`: per family, as a column, the way from a tile to the next one; `None` if tiles are not all translates of one.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn origins(&self) -> Result<Option<Matrix>, Unfit> {
        let form = hermite(&self.normals).ok_or(Unfit::Large)?;
        if form.rank() < self.normals.len() {
            return Err(Unfit::Dependent);
        }
        let distances = self.distances();
        let steps = (0..self.spacings.len()).map(|k| form.solve(&column(&distances, k)));
        let steps: Option<Vec<Vec<i64>>> = steps.collect();
        let n = self.normals[0].len();
        Ok(steps.map(|steps| {
            let line = |d: usize| steps.iter().map(|s| s[d]).collect();
            (0..n).map(line).collect()
        }))
    }

    /// The number of classes of tiles that are translates of each other: those of the values `spacings t` modulo what `normals` reach.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn classes(&self) -> Result<i64, Unfit> {
        let index = |m: &Matrix| {
            let form = hermite(m).ok_or(Unfit::Large)?;
            match form.rank() < m.len() {
                true => Err(Unfit::Dependent),
                false => form.index().ok_or(Unfit::Large),
            }
        };
        let both = |(a, b): (&Vec<i64>, Vec<i64>)| a.iter().copied().chain(b).collect();
        let all: Matrix = self
            .normals
            .iter()
            .zip(self.distances())
            .map(both)
            .collect();
        Ok(index(&self.normals)? / index(&all)?)
    }

    /// `{ [i] -> [t] : s t <= normals i < s (t + 1) }`, without divisions.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn relation(&self, ctx: &Ctx) -> poly::Result<Map> {
        let n = self.normals.first().map_or(0, Vec::len);
        let of = |(k, (row, s)): (usize, (&Vec<i64>, &i64))| {
            let sum = sum(row, "x");
            format!("{s} * t{k} <= {sum} < {s} * t{k} + {s}")
        };
        let all = self.normals.iter().zip(&self.spacings).enumerate().map(of);
        let all: Vec<String> = all.collect();
        let (x, t) = (tuple("x", n), tuple("t", self.normals.len()));
        Map::parse(
            ctx,
            &format!("{{ [{x}] -> [{t}] : {} }}", all.join(" and ")),
        )
    }

    fn distances(&self) -> Matrix {
        let m = self.spacings.len();
        let row = |k: usize| (0..m).map(move |c| if c == k { self.spacings[k] } else { 0 });
        (0..m).map(|k| row(k).collect()).collect()
    }
}

/// `x0, x1, ..`.
pub(super) fn tuple(name: &str, n: usize) -> String {
    let names: Vec<String> = (0..n).map(|d| format!("{name}{d}")).collect();
    names.join(", ")
}

/// A linear form in isl's notation.
pub(super) fn sum(row: &[i64], name: &str) -> String {
    let mut text = "0".to_owned();
    for (d, c) in row.iter().enumerate().filter(|(_, c)| **c != 0) {
        let sign = if *c < 0 { "-" } else { "+" };
        text += &format!(" {sign} {} * {name}{d}", c.unsigned_abs());
    }
    text
}
