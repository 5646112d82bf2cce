//! Peeling: the first or last iterations of a loop become a loop of their own.
//!
//! ```text
//! peel [0] first 1        for i = 0 .. n - 1: S(i)        for i = 0 .. 0: S(i); for i = 1 .. n - 1: S(i)
//! peel [0] last 2         for i = 0 .. n - 1: S(i)        for i < n - 2: S(i); for i >= n - 2: S(i)
//! ```
//!
//! An [index-set split](super::split) at a distance from the least or greatest value of the loop, which may depend on the
//! parameters and on nothing else. The inverse is collapse.

use super::split::{Collapse, split};
use super::surgery::{edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::poly::{Map, UnionMap};
use std::fmt;

/// Splits off iterations at an end of a loop.
#[derive(Clone, Debug)]
pub struct Peel {
    /// The loop.
    pub at: Address,
    /// The first ones; else the last ones.
    pub first: bool,
    /// How many.
    pub count: i64,
}

impl Step for Peel {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        if self.count < 1 {
            return Err(Structure::Number(format!("{} iterations", self.count)).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let (loops, _) = nest(tree, 1, &self.at)?;
            let values = UnionMap::from_union_pw_aff(&loops[0].row)?
                .intersect_domain(domain)?
                .range()?
                .as_set()?;
            let (end, relation) = match self.first {
                true => (values.lexmin()?, format!("b < a + {}", self.count)),
                false => (values.lexmax()?, format!("b <= a - {}", self.count)),
            };
            let text = format!("{{ [a] -> [b] : {relation} }}");
            let near = end.apply(&Map::parse(domain.ctx(), &text)?)?;
            split(tree, domain, &self.at, &near)
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Collapse(self.at.clone()))])
    }
}

impl fmt::Display for Peel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.first { "first" } else { "last" };
        write!(f, "peel {} {end} {}", self.at, self.count)
    }
}
