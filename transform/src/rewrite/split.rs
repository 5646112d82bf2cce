//! Index-set splitting: the iterations of a loop in two parts, and collapse, its inverse.
//!
//! ```text
//! split [0] { [x] : x < 5 }       for i: S(i)             for i < 5: S(i); for i >= 5: S(i)
//! collapse [0]                    for i < 5: S; for i >= 5: S             for i: S(i)
//! ```
//!
//! The condition is on the value of the loop. The first loop has the iterations for which it holds (Kelly and Pugh's
//! `(T | C) union (T | not C)`, with an order): a condition like `x < 5` changes nothing, `x >= 5` runs the upper part
//! first. Nothing is cut from any domain: each instance is in exactly one part.

use super::rows::with_params;
use super::surgery::{around, edit, edit_two, joined, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::poly::{Set, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Branch, Schedule, Tree};
use std::fmt;

/// Splits a loop by a condition on its value.
#[derive(Clone, Debug)]
pub struct Split {
    /// The loop.
    pub at: Address,
    /// `{ [x] : .. }`, in isl's notation.
    pub condition: String,
}

impl Step for Split {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let text = with_params(state.scop, &self.condition);
        let wrong = |e| Structure::Unknown(format!("condition {text}: {e}"));
        let condition = Set::parse(state.scop.context.ctx(), &text).map_err(wrong)?;
        if condition.tuple_dim() != 1 {
            return Err(Structure::Number(format!("one dimension is needed: {text}")).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            split(tree, domain, &self.at, &condition)
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Collapse(self.at.clone()))])
    }
}

/// The loop in two parts.
pub(super) fn split(
    tree: &Tree,
    domain: &UnionSet,
    at: &Address,
    condition: &Set,
) -> Applied<Tree> {
    let (loops, child) = nest(tree, 1, at)?;
    if loops[0].tile.is_some() {
        return Err(Structure::Decided(format!("{at} is a loop over tiles")).into());
    }
    let first = where_(&loops[0].row, domain, condition)?;
    let second = domain.subtract(&first)?.coalesce()?;
    let mut parts = vec![];
    for filter in [first, second] {
        if !filter.is_empty()? {
            let child = around(&loops, child.clone())?;
            parts.push(Branch { filter, child });
        }
    }
    match parts.len() {
        2 => Ok(Tree::Sequence(parts)),
        _ => Err(Structure::Number(format!("one part of {at} has no iterations")).into()),
    }
}

/// The instances whose value in a row satisfies a condition.
pub(super) fn where_(row: &UnionPwAff, domain: &UnionSet, condition: &Set) -> Applied<UnionSet> {
    let values = UnionMap::from_union_pw_aff(row)?;
    let here = values
        .intersect_range(&condition.to_union_set()?)?
        .domain()?;
    Ok(domain.intersect(&here)?.coalesce()?)
}

/// Joins two parts of a loop.
#[derive(Clone, Debug)]
pub struct Collapse(pub Address);

impl Step for Collapse {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        edit_two(state, &self.0, &|(first, at), (second, next)| {
            let (mut loops, inside) = nest(&first.child, 1, at)?;
            let (others, other_inside) = nest(&second.child, 1, next)?;
            if shape(&inside, state) != shape(&other_inside, state) {
                return Err(Structure::Differ(format!(
                    "{at} and {next} do not hold the same: only parts of one loop collapse"
                ))
                .into());
            }
            loops[0].row = joined(
                (&loops[0].row, &first.filter),
                (&others[0].row, &second.filter),
            )?;
            let filter = first.filter.union(&second.filter)?.coalesce()?;
            let child = around(&loops, inside)?;
            Ok(Branch { filter, child })
        })
    }
}

/// The text of a tree, without its filters' conditions.
fn shape(tree: &Tree, state: &State) -> String {
    let schedule = Schedule {
        root: tree.clone(),
        ..state.schedule.clone()
    };
    polytile_analysis::text::print_schedule(&schedule)
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "split {} {}", self.at, self.condition)
    }
}

impl fmt::Display for Collapse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "collapse {}", self.0)
    }
}
