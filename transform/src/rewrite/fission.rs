//! Fission (distribution): a loop over a list becomes two loops, each over a part of the list.
//!
//! ```text
//! fission [0] 1           for i { A(i); B(i); C(i) }      for i: A(i); for i { B(i); C(i) }
//! ```
//!
//! Cohen, Girbal and Temam's SPLIT. Their script in Fig. 19 moves by one where it must move by the number of children.
//! The inverse is [fusion](super::fuse).

use super::fuse::Fuse;
use super::surgery::{around, children, edit, instances, listed, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::tree::{Branch, Tree};
use std::fmt;

/// Cuts a loop behind so many of its children.
#[derive(Clone, Debug)]
pub struct Fission {
    /// The loop.
    pub at: Address,
    /// Children that stay in the first loop.
    pub children: usize,
}

impl Step for Fission {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let at = &self.at;
        let schedule = edit(&state.schedule, at, &mut |tree, domain| {
            let (loops, child) = nest(tree, 1, at)?;
            if loops[0].tile.is_some() {
                return Err(Structure::Decided(format!("{at} is a loop over tiles")).into());
            }
            let mut first = children(&child, domain)?;
            if self.children == 0 || self.children >= first.len() {
                return Err(Structure::Number(format!(
                    "loop {at} has {} children: it cannot be cut behind {}",
                    first.len(),
                    self.children
                ))
                .into());
            }
            let second = first.split_off(self.children);
            let mut both = vec![];
            for part in [first, second] {
                both.push(Branch {
                    filter: instances(&part)?,
                    child: around(&loops, listed(part))?,
                });
            }
            Ok(Tree::Sequence(both))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Fuse(self.at.clone()))])
    }
}

impl fmt::Display for Fission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fission {} {}", self.at, self.children)
    }
}
