//! Skewing: a multiple of another loop's row is added to a row.
//!
//! ```text
//! skew [0,0] 1 1          for t: for i: S(t, i)           for t: for i = t .. t + n - 1: S(t, i - t)
//! ```
//!
//! Dependences `(1, -1)` of a stencil become `(1, 0)`: the band can be tiled. The inverse skews by the negated factor.

use super::rows::edit_row;
use super::{Address, Applied, Rows, State, Step, Structure};
use std::fmt;

/// Adds `factor` times the row at `depth` to a row.
#[derive(Clone, Debug)]
pub struct Skew {
    /// The row that changes.
    pub at: Rows,
    /// Depth of the loop that is added, 1 for the outermost.
    pub depth: usize,
    /// How often.
    pub factor: i64,
}

impl Step for Skew {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let own = self.at.at.path.len();
        if self.depth == own {
            return Err(Structure::SkewByItself.into());
        }
        if self.depth == 0 {
            return Err(Structure::Depth("depths begin at 1".into()).into());
        }
        let other = match self.depth < own {
            true => Address::of(&self.at.at.path[..self.depth]),
            false => self.at.at.inside(self.depth - own),
        };
        let row = state.row(&other).map_err(|_| {
            Structure::Depth(format!(
                "no loop at depth {} around what is in {}",
                self.depth, self.at
            ))
        })?;
        let added = row.scale_si(self.factor)?;
        edit_row(state, &self.at, &mut |row| {
            let here = added.intersect_domain(&row.domain()?.universe_of()?)?;
            if !row.domain()?.is_subset(&here.domain()?)? {
                let text = format!("{other} does not hold all of {}", self.at);
                return Err(Structure::NotNested(text, 2).into());
            }
            Ok(row.add(&here)?)
        })
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        let back = Skew {
            factor: -self.factor,
            ..self.clone()
        };
        Some(vec![Box::new(back)])
    }
}

impl fmt::Display for Skew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skew {} {} {}", self.at, self.depth, self.factor)
    }
}
