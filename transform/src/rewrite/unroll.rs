//! Unrolling: so many iterations of a loop become statements one after the other.
//!
//! ```text
//! unroll [0] 2            for i: S(i)                     for ii = 0, 2, ..: { S(ii); S(ii + 1) }
//! ```
//!
//! The loop becomes one over strips; inside, an iteration of each remainder. Always legal. What is left over at the ends is
//! guarded. With all the iterations that a loop has, the strips are a loop of one iteration.

use super::split::where_;
use super::strip::origins;
use super::surgery::{Loop, around, edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::poly::Set;
use polytile_analysis::tree::{Branch, LoopKind, Tree};
use std::fmt;

/// More copies of a body are no help to anybody.
const MAX_COPIES: i64 = 64;

/// Unrolls a loop.
#[derive(Clone, Debug)]
pub struct Unroll {
    /// The loop.
    pub at: Address,
    /// Copies of its body.
    pub copies: i64,
}

impl Step for Unroll {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        if !(2..=MAX_COPIES).contains(&self.copies) {
            let text = format!("{} copies: 2 to {MAX_COPIES} are possible", self.copies);
            return Err(Structure::Number(text).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let (loops, child) = nest(tree, 1, &self.at)?;
            if loops[0].tile.is_some() {
                return Err(Structure::Decided(format!("{} is a loop over tiles", self.at)).into());
            }
            let mut copies = vec![];
            for k in 0..self.copies {
                let text = format!("{{ [x] : x mod {} = {k} }}", self.copies);
                let filter = where_(&loops[0].row, domain, &Set::parse(domain.ctx(), &text)?)?;
                if !filter.is_empty()? {
                    let child = child.clone();
                    copies.push(Branch { filter, child });
                }
            }
            let strips = Loop {
                row: origins(&loops[0].row, self.copies)?,
                kind: LoopKind::Sequential,
                tile: None,
            };
            around(&[strips], Tree::Sequence(copies))
        })?;
        Ok(state.with(schedule))
    }
}

impl fmt::Display for Unroll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unroll {} {}", self.at, self.copies)
    }
}
