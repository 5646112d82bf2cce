//! Strip-mining: a loop in strips of so many iterations, and linearize, its inverse.
//!
//! ```text
//! strip [0] 4             for i = 1 .. n: S(i)            for ii = 0, 4, .. <= n: for i = max(1, ii) .. min(n, ii + 3): S(i)
//! ```
//!
//! The new row is `4 * floor(row / 4)`, in front of the old one: strips are named by their origin and begin at multiples of
//! the size, not at the lower bound, so that the first strip may be short (Cohen, Girbal and Temam's STRIPMINE forgets the factor in two
//! of its four constraints). Always legal. A [tile](super::tile) of one loop does the same with sizes that may be known at
//! run time only.

use super::surgery::{Loop, around, edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::poly::{Map, UnionMap, UnionPwAff};
use polytile_analysis::tree::LoopKind;
use std::fmt;

/// Cuts a loop in strips.
#[derive(Clone, Debug)]
pub struct Strip {
    /// The loop.
    pub at: Address,
    /// Iterations of a strip.
    pub size: i64,
}

impl Step for Strip {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        if self.size < 1 {
            return Err(Structure::Number(format!("strips of {} iterations", self.size)).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, _| {
            let (loops, child) = nest(tree, 1, &self.at)?;
            if loops[0].tile.is_some() {
                return Err(Structure::Decided(format!("{} is a loop over tiles", self.at)).into());
            }
            let outer = Loop {
                row: origins(&loops[0].row, self.size)?,
                kind: LoopKind::Sequential,
                tile: None,
            };
            around(&[outer, loops[0].clone()], child)
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Linearize(self.at.clone()))])
    }
}

/// `size * floor(row / size)`.
pub(super) fn origins(row: &UnionPwAff, size: i64) -> Applied<UnionPwAff> {
    Ok(row.scale_down_si(size)?.floor()?.scale_si(size)?)
}

/// Takes a loop over strips away.
#[derive(Clone, Debug)]
pub struct Linearize(pub Address);

impl Step for Linearize {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let at = &self.0;
        let schedule = edit(&state.schedule, at, &mut |tree, domain| {
            let (loops, child) = nest(tree, 2, at)?;
            // The strips' row does not decrease where the inner row grows.
            let of = |l: &Loop| -> Applied<UnionMap> {
                Ok(UnionMap::from_union_pw_aff(&l.row)?.intersect_domain(domain)?)
            };
            let (outer, inner) = (of(&loops[0])?, of(&loops[1])?);
            let strips = monotone(&inner.reverse()?.apply_range(&outer)?)?;
            match strips && loops[0].tile.is_none() {
                true => around(&loops[1..], child),
                false => Err(Structure::Differ(format!(
                    "{at} is not a loop over strips of the loop inside of it"
                ))
                .into()),
            }
        })?;
        Ok(state.with(schedule))
    }
}

/// Whether a relation between values is a function that does not decrease.
fn monotone(values: &UnionMap) -> Applied<bool> {
    if values.is_empty()? {
        return Ok(true);
    }
    let map = values.as_map()?;
    let less = Map::parse(map.ctx(), "{ [a] -> [b] : a < b }")?;
    let later = map.reverse()?.apply_range(&less)?.apply_range(&map)?;
    let back = less.reverse()?;
    Ok(map.is_single_valued()? && later.intersect(&back)?.is_empty()?)
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "strip {} {}", self.at, self.size)
    }
}

impl fmt::Display for Linearize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "linearize {}", self.0)
    }
}
