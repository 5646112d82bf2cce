//! Reshaping: a function of the statements' own iterators is added to a row.
//!
//! ```text
//! reshape [0,0] { S0[t, i] -> [2t] }      row i of S0 becomes 2t + i, whatever the outer rows are
//! ```
//!
//! Where a [skew](super::skew) adds what runs outside, this adds what the source counts: the two are the same until
//! another step changed the outer row. The inverse subtracts.

use super::rows::{edit_row, functions};
use super::{Applied, Rows, State, Step};
use std::fmt;

/// Adds a function per statement to a row.
#[derive(Clone, Debug)]
pub struct Reshape {
    /// The row.
    pub at: Rows,
    /// A map from instances to one value, in isl's notation.
    pub by: String,
    /// Subtract it.
    pub minus: bool,
}

impl Step for Reshape {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let given = functions(state.scop, &self.by)?;
        let given = if self.minus { given.neg()? } else { given };
        edit_row(state, &self.at, &mut |row| {
            let here = given.intersect_domain(&row.domain()?.universe_of()?)?;
            let others = row.domain()?.universe_of()?.subtract(&here.domain()?)?;
            Ok(row
                .intersect_domain(&others)?
                .union_add(&row.intersect_domain(&here.domain()?)?.add(&here)?)?)
        })
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        let back = Reshape {
            minus: !self.minus,
            ..self.clone()
        };
        Some(vec![Box::new(back)])
    }
}

impl fmt::Display for Reshape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minus = if self.minus { " minus" } else { "" };
        write!(f, "reshape {}{minus} {}", self.at, self.by)
    }
}
