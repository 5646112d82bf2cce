//! Shifting: a statement runs some iterations later (or, by a negative amount, earlier).
//!
//! ```text
//! shift S1@1 1            for i { P(i); Q(i) }            P(0); for i = 1 .. n - 1 { P(i); Q(i - 1) }; Q(n - 1)
//! shift S1@1 n - 1        all of P before all but the first of Q
//! ```
//!
//! Cohen, Girbal and Temam's SHIFT adds to `Gamma`; the amount may use parameters (a parametric delay). A shift of all
//! statements of a loop renumbers its iterations and changes nothing else. The inverse shifts back.

use super::rows::{constant, edit_row};
use super::{Applied, Rows, State, Step};
use std::fmt;

/// Adds an expression of the parameters to a row.
#[derive(Clone, Debug)]
pub struct Shift {
    /// The row.
    pub at: Rows,
    /// How much.
    pub by: String,
}

impl Step for Shift {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        edit_row(state, &self.at, &mut |row| {
            let domain = row.domain()?.universe_of()?;
            Ok(row.add(&constant(state.scop, &domain, &self.by)?)?)
        })
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        let back = Shift {
            at: self.at.clone(),
            by: format!("-({})", self.by),
        };
        Some(vec![Box::new(back)])
    }
}

impl fmt::Display for Shift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shift {} {}", self.at, self.by)
    }
}
