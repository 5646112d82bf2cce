//! How much of an array has to exist at one time, from the lifetimes of its elements under a schedule (array contraction by successive modulo; Lefebvre and Feautrier 1998).
//!
//! ```text
//! for y: for x: b[y][x] = p(in, y, x);      for y: for x: out[y][x] = b[y-1][x] + b[y][x] + b[y+1][x]
//! one nest after the other: [H, W];         fused, the second shifted by a row: [3, W]
//! ```
//!
//! An element is alive from its first access to its last one. Two elements conflict if each of them begins before the other ends: what an instance reads has ended where it writes. What one
//! instance writes is in conflict, whether it is read or not. All that is for elements that are written before they are read ([`is_contained`]), and read by nobody behind the nest.

use super::modulo::Sizes;
use super::touched::Accesses;
use crate::poly::{Map, Result, Set, UnionMap};

/// Pairs of elements of an array that exist at one time. `theta` gives the time of each instance.
pub fn conflicts(theta: &UnionMap, accesses: &Accesses) -> Result<UnionMap> {
    let times = theta.reverse()?;
    let accessed = times.apply_range(&accesses.all()?)?.reverse()?;
    let (first, last) = (accessed.lexmin()?, accessed.lexmax()?);
    let begins = first.lex_lt_union_map(&last)?;
    let written = times.apply_range(&accesses.may)?;
    let at_once = written.reverse()?.apply_range(&written)?;
    begins.intersect(&begins.reverse()?)?.union(&at_once)
}

/// Sizes for an array that lives in the nest alone; `None` if nothing is written.
pub fn sizes(theta: &UnionMap, accesses: &Accesses, context: &Set) -> Result<Option<Sizes>> {
    let conflicts = conflicts(theta, accesses)?;
    match &conflicts.maps()?[..] {
        [only] => Sizes::of(only, context).map(Some),
        _ => Ok(None),
    }
}

/// Whether each read of an array is behind a certain write of the element.
pub fn is_contained(theta: &UnionMap, accesses: &Accesses) -> Result<bool> {
    let times = theta.reverse()?;
    let all = times.domain()?;
    let Some(time) = all.sets()?.first().map(Set::space).transpose()? else {
        return Ok(true);
    };
    let earlier = Map::lex_gt(&time)?.to_union_map()?;
    let reads = times.apply_range(&accesses.reads)?;
    let written = earlier.apply_range(&times.apply_range(&accesses.must)?)?;
    reads.is_subset(&written)
}
