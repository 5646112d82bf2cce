//! Interchange: two loops of a nest change places.
//!
//! ```text
//! interchange [0]         for i: for j: S(i, j)           for j: for i: S(i, j)
//! interchange [0] 3       for i: for j: for k: S          for k: for j: for i: S
//! ```
//!
//! Rows change places, not iterators: after a skew the skewed loop goes outwards, and a shift goes with its row (Cohen,
//! Girbal, Temam 2004, Fig. 12 swaps columns, which is the same only before any other step). It is its own inverse.

use super::surgery::{around, edit, nest};
use super::{Address, Applied, State, Step, Structure};
use std::fmt;

/// Swaps a loop with the one `levels - 1` further in.
#[derive(Clone, Debug)]
pub struct Interchange {
    /// The outer loop.
    pub at: Address,
    /// Loops from the one to the other, both included.
    pub levels: usize,
}

impl Step for Interchange {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        if self.levels < 2 {
            return Err(Structure::Number("interchange needs 2 loops at least".into()).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, _| {
            let (mut loops, child) = nest(tree, self.levels, &self.at)?;
            loops.swap(0, self.levels - 1);
            around(&loops, child)
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(self.clone())])
    }
}

impl fmt::Display for Interchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.levels {
            2 => write!(f, "interchange {}", self.at),
            n => write!(f, "interchange {} {n}", self.at),
        }
    }
}
