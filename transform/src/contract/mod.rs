//! Contraction: arrays that nobody reads afterwards shrink to the rows that are needed at one time.
//!
//! A nest fills an array, a later one takes it up some rows around its own, and nothing is read of it behind both ([`Array::dead`], or a
//! temporary of ours). Fused row by row, the later nest as many rows behind as it needs, each value lives for a few rows only:
//!
//! ```text
//! for i: for j: tmp[i][j] = f(in[i][j ..])                for t by 64 (parallel): for i = t - 2 .. t + 63: {
//! for i: for j: out[i][j] = g(tmp[i .. i+2][j])      ->     for j: tmp'[i & 3][j] = f(in[i][j ..])
//!                                                           for j: out[i-2][j] = g(tmp'[i-2 .. i & 3][j])   if i >= t }
//! ```
//!
//! so that the array is a *window* of `2^k` rows, which stays in cache (successive modulo; Darte and Isoard 2015, §4; Lefebvre and
//! Feautrier 1998). Each thread has a window of its own. Blocks of rows are independent because the rows in front of a block are
//! computed again ([`Member::lead`]; overlapped tiles, Krishnamoorthy et al. 2007). Where that changes values (in place), or no rows are needed
//! again, there are no blocks.
//!
//! | paper | here |
//! |---|---|
//! | occupancy of a dimension, its modulus | [`Window::rows`] |
//! | schedule of a statement in the fused loop | row `i` + [`Member::shift`] |
//! | overlap of a tile | [`Member::lead`] |
//!
//! Schedule and storage change together: folded storage is right for some orders only. The result is a SCoP whose own order is the fused one
//! and whose storage is the folded one; its dependences, through reused cells too, order everything that follows. That it
//! computes what the source does is not taken for granted: [`crate::equivalence::check_contracted`] compares the flow of values of both, exactly.
//!
//! What it does not do: windows in a second dimension, rows at a stride (pyramids), single loops over elements.
//!
//! [`Array::dead`]: polytile_analysis::scop::Array::dead

mod distances;
mod inner;
mod lines;
mod rewrite;
mod select;
#[cfg(test)]
mod tests;
mod windows;

pub use inner::united;
pub use lines::lines;
pub use rewrite::contracted;
pub use select::selected;

use polytile_analysis::ids::{ArrayId, StmtId};
use std::fmt;

/// Nests that run row by row, and the arrays that are windows then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// Loops around the nests.
    pub around: usize,
    /// Their statements.
    pub members: Vec<Member>,
    /// The arrays.
    pub windows: Vec<Window>,
    /// Rows of a block; `None`: all rows follow each other.
    pub block: Option<i64>,
}

/// A statement of nests that run row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The statement.
    pub stmt: StmtId,
    /// Its nest, from 0.
    pub nest: usize,
    /// So many rows behind the first nest.
    pub shift: i64,
    /// So many rows in front of a block are computed again.
    pub lead: i64,
}

/// An array as a window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// The array.
    pub array: ArrayId,
    /// Rows that it has, a power of two.
    pub rows: i64,
    /// The dimension of rows.
    pub dim: usize,
    /// The dimensions of a row.
    pub kept: Vec<usize>,
}

impl Rows {
    /// The rows that a block begins with in front of its own.
    fn lead(&self) -> i64 {
        let all = self.members.iter().map(|m| m.lead);
        all.max().unwrap_or(0)
    }

    /// The window of an array.
    fn window(&self, array: ArrayId) -> Option<&Window> {
        self.windows.iter().find(|w| w.array == array)
    }

    /// The same without blocks.
    pub fn in_one(&self) -> Rows {
        Rows {
            block: None,
            ..self.clone()
        }
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nests", self.members.last().map_or(0, |m| m.nest + 1))?;
        for w in &self.windows {
            write!(f, ", {} of {} rows", w.array, w.rows)?;
        }
        match self.block {
            Some(rows) => write!(f, ", blocks of {rows} rows"),
            None => Ok(()),
        }
    }
}
