//! Reversal: a loop runs from its last iteration to its first.
//!
//! ```text
//! reverse [0]             for (i = 0; i < n; i++) S(i)    for (i = n - 1; i >= 0; i--) S(i)
//! ```
//!
//! The row is negated (determinant -1 is allowed: Cohen, Girbal and Temam's UNIMODULAR asks for 1 and then uses a swap). It is
//! its own inverse.

use super::rows::edit_row;
use super::{Applied, Rows, State, Step};
use std::fmt;

/// Negates a row.
#[derive(Clone, Debug)]
pub struct Reverse(pub Rows);

impl Step for Reverse {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        edit_row(state, &self.0, &mut |row| Ok(row.neg()?))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(self.clone())])
    }
}

impl fmt::Display for Reverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reverse {}", self.0)
    }
}
