//! Sizes of local memories for a nest without the bounds of its loops.
//!
//! The bounds of an iteration domain are what makes sets and their differences large: on seidel-2d in three dimensions a thousand times as large. What is alive in a tile grows with the domain,
//! so sizes for a domain without bounds are enough for any domain. In the pipelined schedule loads and stores need not grow with it, so what is alive in a tile counts as in conflict with
//! all that is alive in the next one; for the programs of Table 1 that gives the same sizes, or one more.

use super::lifetimes::{Overlap, conflicts_of_lifetimes, live};
use super::modulo::{Sizes, sizes};
use super::tiling::Tiling;
use super::touched::Accesses;
use crate::poly::{Map, Result, Set, UnionMap};
use crate::scop::{Access, AccessKind, Scop};
use std::collections::BTreeMap;

/// Sizes that serve for any domain of the statements, for the accesses that are wanted, by the names of arrays; `None` if the schedule or an access is no single expression.
pub fn sizes_of_any_domain(
    tiling: &Tiling,
    scop: &Scop,
    want: impl Fn(&Access) -> bool,
    context: &Set,
    overlap: Overlap,
) -> Result<Option<BTreeMap<String, Sizes>>> {
    let mut theta = UnionMap::empty(&tiling.theta.space()?)?;
    for map in tiling.theta.maps()? {
        let Some(map) = without_bounds(&map)? else {
            return Ok(None);
        };
        theta = theta.union(&map.to_union_map()?)?;
    }
    let Some(accesses) = accesses_without_bounds(scop, want)? else {
        return Ok(None);
    };
    let held = Tiling {
        theta,
        ..tiling.clone()
    };
    let held = held.instances()?.apply_range(&accesses.all()?)?;
    let live = live(tiling, &held)?;
    let conflicts = conflicts_of_lifetimes(tiling, &live, overlap)?;
    sizes(&conflicts, context).map(Some)
}

/// A function for all arguments, if it is a single expression.
fn without_bounds(function: &Map) -> Result<Option<Map>> {
    let pieces = function.as_pw_multi_aff()?.pieces()?;
    match &pieces[..] {
        [(_, only)] => Ok(Some(only.as_map()?)),
        _ => Ok(None),
    }
}

fn accesses_without_bounds(
    scop: &Scop,
    want: impl Fn(&Access) -> bool,
) -> Result<Option<Accesses>> {
    let none = UnionMap::empty(&scop.context.space()?)?;
    let (mut reads, mut may) = (none.clone(), none);
    for access in scop
        .stmts
        .iter()
        .flat_map(|s| &s.accesses)
        .filter(|a| want(a))
    {
        let Some(map) = without_bounds(&access.relation)? else {
            return Ok(None);
        };
        let all = match access.kind {
            AccessKind::Read => &mut reads,
            AccessKind::MustWrite | AccessKind::MayWrite => &mut may,
        };
        *all = all.union(&map.to_union_map()?)?;
    }
    Ok(Some(Accesses {
        reads,
        must: may.clone(),
        may,
    }))
}
