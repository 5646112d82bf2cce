//! Grain and densify: the iterations of a loop are numbered in steps, or again without gaps.
//!
//! ```text
//! grain [0] 4             times 0, 1, 2, ..               times 0, 4, 8, ..
//! densify [0] 4           times 0, 4, 8, ..               times 0, 1, 2, ..
//! ```
//!
//! Kelly and Pugh's generator finds the greatest common step of the statements of a loop; isl's does not (rows `4i` and
//! `6i + 2` give a loop of step 1 with two remainders). Dividing both by 2 first does it. Each is the other's inverse.

use super::rows::edit_row;
use super::{Applied, Rows, State, Step, Structure};
use polytile_analysis::poly::UnionMap;
use std::fmt;

/// Multiplies or divides a row.
#[derive(Clone, Debug)]
pub struct Grain {
    /// The row.
    pub at: Rows,
    /// By this.
    pub factor: i64,
    /// Divide.
    pub densify: bool,
}

impl Step for Grain {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        if self.factor < 1 {
            return Err(Structure::Number(format!("{} is not a factor", self.factor)).into());
        }
        edit_row(state, &self.at, &mut |row| {
            if !self.densify {
                return Ok(row.scale_si(self.factor)?);
            }
            let dense = row.scale_down_si(self.factor)?.floor()?;
            let back = UnionMap::from_union_pw_aff(&dense.scale_si(self.factor)?)?;
            let domain = &state.schedule.domain;
            let row = UnionMap::from_union_pw_aff(row)?.intersect_domain(domain)?;
            match row.is_subset(&back)? {
                true => Ok(dense),
                false => Err(Structure::Number(format!(
                    "not all iterations of {} are multiples of {}",
                    self.at, self.factor
                ))
                .into()),
            }
        })
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        let back = Grain {
            densify: !self.densify,
            ..self.clone()
        };
        Some(vec![Box::new(back)])
    }
}

impl fmt::Display for Grain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.densify { "densify" } else { "grain" };
        write!(f, "{name} {} {}", self.at, self.factor)
    }
}
